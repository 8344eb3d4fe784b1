/** Clicks of honest sites by network, and how often some of them wait. */
import { crowdedMaxOf } from "../../apps/api/src/ads/clicks/hold-crowded.ts";
import { createDraws, type Draws } from "../../apps/api/test/scoring/draw-sessions.ts";
import { between, chance } from "./visit.ts";

/** `networkOf`: the network of the next click. */
type ClickKind = { name: string; clicksPerDay: [number, number]; networkOf: (draws: Draws) => number };

const anyOf = (draws: Draws, networks: number) => Math.floor(between(draws, 0, networks));
/** So many of the clicks come through a carrier, whose people share a few hundred networks; the busiest has several times the average. */
const throughCarrier = (share: number, networks: number) => (draws: Draws) =>
  chance(draws, share) ? Math.floor(networks * between(draws, 0, 1) ** 1.4) : networks + anyOf(draws, 1_000_000);

const clickKinds: readonly ClickKind[] = [
  { name: "blog, few clicks", clicksPerDay: [0, 8], networkOf: throughCarrier(0.4, 200) },
  { name: "shop, many visitors", clicksPerDay: [40, 160], networkOf: throughCarrier(0.5, 300) },
  { name: "mobile app, one large carrier", clicksPerDay: [60, 400], networkOf: throughCarrier(0.9, 256) },
  { name: "games with a high click rate", clicksPerDay: [200, 900], networkOf: throughCarrier(0.7, 400) },
  { name: "site of one country, a small carrier", clicksPerDay: [20, 120], networkOf: throughCarrier(0.8, 120) },
  { name: "tool of one company", clicksPerDay: [0, 6], networkOf: (draws) => (chance(draws, 0.9) ? 0 : 1 + anyOf(draws, 1_000_000)) },
  { name: "site that a few schools use", clicksPerDay: [4, 30], networkOf: (draws) => (chance(draws, 0.5) ? anyOf(draws, 8) : 100 + anyOf(draws, 1_000_000)) },
];

export type HonestClicks = { kind: string; days: number; waitingDays: number; clicks: number; waiting: number };

export function simulateHonestClicks({ days, seed }: { days: number; seed: number }): HonestClicks[] {
  return clickKinds.map(({ name, clicksPerDay: [least, most], networkOf }, index) => {
    const draws = createDraws(seed + index);
    const sums = { kind: name, days, waitingDays: 0, clicks: 0, waiting: 0 };
    for (let day = 0; day < days; day += 1) {
      const clicks = Math.round(between(draws, least, most));
      const counts = new Map<number, number>();
      for (let click = 0; click < clicks; click += 1) {
        const network = networkOf(draws);
        counts.set(network, (counts.get(network) ?? 0) + 1);
      }
      const settled = crowdedMaxOf(clicks);
      const waiting = [...counts.values()].reduce((sum, count) => sum + Math.max(0, count - settled), 0);
      sums.clicks += clicks;
      sums.waiting += waiting;
      sums.waitingDays += Number(waiting > 0);
    }
    return sums;
  });
}
