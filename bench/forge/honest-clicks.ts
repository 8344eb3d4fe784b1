/** Clicks of honest sites: by network, how often some of them wait; by rate and time, whether anybody is held. */
import { checkClickDay } from "../../apps/api/src/ads/clicks/check-clicks.ts";
import { crowdedMaxOf } from "../../apps/api/src/ads/clicks/hold-crowded.ts";
import { msPerDay, msPerHour } from "../../apps/api/src/formats/time.ts";
import { addDay, type CheckName, type Evidence, logEvidenceThreshold, startEvidence, weighChecks } from "../../apps/api/src/money/evidence/e-process.ts";
import type { Placement } from "../../apps/api/src/store/schema-ads.ts";
import { createDraws, type Draws } from "../../apps/api/test/scoring/draw-sessions.ts";
import { simulationStartMs } from "./run-installation.ts";
import { between, chance } from "./visit.ts";

/** `rate`: the least and most of the ads shown that an account's visitors click. `networkOf`: the network of the next click. */
type ClickKind = { name: string; clicksPerDay: [number, number]; rate: [number, number]; placement?: Placement; networkOf: (draws: Draws) => number };

const anyOf = (draws: Draws, networks: number) => Math.floor(between(draws, 0, networks));
/** So many of the clicks come through a carrier, whose people share a few hundred networks; the busiest has several times the average. */
const throughCarrier = (share: number, networks: number) => (draws: Draws) =>
  chance(draws, share) ? Math.floor(networks * between(draws, 0, 1) ** 1.4) : networks + anyOf(draws, 1_000_000);

const clickKinds: readonly ClickKind[] = [
  { name: "blog, few clicks", clicksPerDay: [0, 8], rate: [0.002, 0.02], networkOf: throughCarrier(0.4, 200) },
  { name: "shop, many visitors", clicksPerDay: [40, 160], rate: [0.005, 0.04], networkOf: throughCarrier(0.5, 300) },
  { name: "mobile app, one large carrier", clicksPerDay: [60, 400], rate: [0.02, 0.08], networkOf: throughCarrier(0.9, 256) },
  { name: "app with many clicks by accident", clicksPerDay: [40, 300], rate: [0.08, 0.14], networkOf: throughCarrier(0.8, 300) },
  { name: "games, ads between rounds", clicksPerDay: [200, 900], rate: [0.15, 0.28], placement: "fullscreen", networkOf: throughCarrier(0.7, 400) },
  { name: "site of one country, a small carrier", clicksPerDay: [20, 120], rate: [0.01, 0.05], networkOf: throughCarrier(0.8, 120) },
  { name: "tool of one company", clicksPerDay: [0, 6], rate: [0.01, 0.1], networkOf: (draws) => (chance(draws, 0.9) ? 0 : 1 + anyOf(draws, 1_000_000)) },
  { name: "site that a few schools use", clicksPerDay: [4, 30], rate: [0.01, 0.1], networkOf: (draws) => (chance(draws, 0.5) ? anyOf(draws, 8) : 100 + anyOf(draws, 1_000_000)) },
];

const accountsPerKind = 20;
const openFromMs = 6 * msPerHour;
const openMs = 17 * msPerHour;

export type HonestClicks = { kind: string; accounts: number; held: number; days: number; waitingDays: number };

/** How many of the day's clicks came from networks that had sent many before. */
function countCrowded(clicks: number, networkOf: () => number): number {
  const counts = new Map<number, number>();
  for (let click = 0; click < clicks; click += 1) {
    const network = networkOf();
    counts.set(network, (counts.get(network) ?? 0) + 1);
  }
  const settled = crowdedMaxOf(clicks);
  return [...counts.values()].reduce((sum, count) => sum + Math.max(0, count - settled), 0);
}

function simulateClicks({ clicksPerDay: [least, most], rate: [lowest, highest], placement = "feed", networkOf }: ClickKind, { accountId, days, draws }: { accountId: string; days: number; draws: Draws }) {
  const rate = between(draws, lowest, highest);
  const evidence = new Map<CheckName, Evidence>();
  const outcome = { isHeld: false, waitingDays: 0 };
  for (let day = 0; day < days; day += 1) {
    const dayMs = simulationStartMs + day * msPerDay;
    const impressions = Math.round(between(draws, least, most) / rate);
    const clickedAtMs = Array.from({ length: impressions }, () => dayMs + openFromMs + Math.floor(between(draws, 0, openMs))).filter(() => chance(draws, rate));
    for (const { check, logRatio } of checkClickDay({ accountId, dayMs, counts: [{ placement, impressions, clicks: clickedAtMs.length }], clickedAtMs })) {
      evidence.set(check, addDay(evidence.get(check) ?? startEvidence(), logRatio));
    }
    outcome.isHeld ||= weighChecks(new Map([...evidence].map(([check, { logEvidence }]) => [check, logEvidence]))) >= logEvidenceThreshold;
    outcome.waitingDays += Number(countCrowded(clickedAtMs.length, () => networkOf(draws)) > 0);
  }
  return outcome;
}

export function simulateHonestClicks({ days, seed }: { days: number; seed: number }): HonestClicks[] {
  return clickKinds.map((kind, number) => {
    const accounts = Array.from({ length: accountsPerKind }, (_, index) => {
      const accountId = `clicks ${number} ${index}`;
      return simulateClicks(kind, { accountId, days, draws: createDraws(Math.imul(seed, 0x9e3779b1) + 1_000 * number + index) });
    });
    return {
      kind: kind.name,
      accounts: accountsPerKind,
      held: accounts.filter(({ isHeld }) => isHeld).length,
      days: accountsPerKind * days,
      waitingDays: accounts.reduce((sum, { waitingDays }) => sum + waitingDays, 0),
    };
  });
}
