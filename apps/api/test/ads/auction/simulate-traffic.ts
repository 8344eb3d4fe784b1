import type { SeededRandom } from "../../faults/rig/seeded-random.ts";
import { buildSnapshot, updateSpend } from "../../../src/ads/auction/build-snapshot.ts";
import { decide } from "../../../src/ads/auction/decide.ts";
import { createLiveOffers, type LiveOffer } from "../../../src/ads/auction/live-offers.ts";
import type { AuctionCampaign, ClickHistory } from "../../../src/ads/auction/snapshot.ts";
import { dayOf, type TrafficCurve } from "../../../src/ads/auction/traffic-curve.ts";
import { makeRequest } from "./make-campaign.ts";

/** Spend and counters of a campaign; budgets are checked as in the database. */
export type Account = { spentMicroUsd: number; spentTodayMicroUsd: number; day: number; offers: number; paid: number; exhausted: number };

export type Simulation = {
  campaigns: readonly AuctionCampaign[];
  /** True click rates by creative. */
  clickRates: ReadonlyMap<string, number>;
  /** Times of requests, in order. */
  requestsMs: Iterable<number>;
  random: SeededRandom;
  curve: TrafficCurve;
  /** Mean time until a click. */
  clickDelayMs: number;
  /** Interval at which click rates are relearnt. */
  learnEveryMs: number;
  /** Called before each request. */
  watch?: (nowMs: number, accounts: ReadonlyMap<string, Account>) => void;
};

type Pending = LiveOffer & { creativeId: string; clickedMs: number };

/** Simulates requests, offers, impressions and genuine clicks with the real auction. */
export function simulateTraffic(simulation: Simulation): Map<string, Account> {
  const { campaigns, clickRates, random, curve } = simulation;
  const liveOffers = createLiveOffers();
  const accounts = new Map<string, Account>();
  for (const { id } of campaigns) accounts.set(id, { spentMicroUsd: 0, spentTodayMicroUsd: 0, day: 0, offers: 0, paid: 0, exhausted: 0 });
  const history = new Map<string, ClickHistory>();
  let pending: Pending[] = [];

  const build = (nowMs: number) =>
    buildSnapshot(
      campaigns.map((campaign) => ({ ...campaign, ...spendAt(accounts.get(campaign.id)!, nowMs) })),
      [...history.values()],
      { nowMs, liveOffers, curve },
    );
  let snapshot = build(0);
  let learntMs = 0;

  function settleClicks(untilMs: number): void {
    if (pending.every(({ clickedMs }) => clickedMs > untilMs)) return;
    const due = pending.filter(({ clickedMs }) => clickedMs <= untilMs).toSorted((left, right) => left.clickedMs - right.clickedMs);
    pending = pending.filter(({ clickedMs }) => clickedMs > untilMs);
    for (const click of due) {
      const campaign = snapshot.entryOf(click.campaignId)!.campaign;
      const account = accounts.get(click.campaignId)!;
      Object.assign(account, spendAt(account, click.clickedMs), { day: dayOf(click.clickedMs) });
      liveOffers.clicked(click, click.clickedMs);
      const fits =
        account.spentMicroUsd + click.priceMicroUsd <= campaign.budgetMicroUsd &&
        account.spentTodayMicroUsd + click.priceMicroUsd <= (campaign.dailyBudgetMicroUsd ?? Number.POSITIVE_INFINITY);
      if (!fits) {
        account.exhausted += 1;
        continue;
      }
      account.paid += 1;
      account.spentMicroUsd += click.priceMicroUsd;
      account.spentTodayMicroUsd += click.priceMicroUsd;
      history.get(click.creativeId)!.clicks += 1;
      updateSpend(snapshot, { ...account, campaignId: click.campaignId, nowMs: click.clickedMs });
    }
  }

  for (const nowMs of simulation.requestsMs) {
    settleClicks(nowMs);
    simulation.watch?.(nowMs, accounts);
    if (nowMs - learntMs >= simulation.learnEveryMs) {
      snapshot = build(nowMs);
      learntMs = nowMs;
    }
    const decision = decide(snapshot, makeRequest(random.next, { nowMs }));
    if (decision.kind === "no_fill") continue;
    const { campaign, creative, priceMicroUsd, expectedClickRate } = decision;
    const offer = { campaignId: campaign.id, priceMicroUsd, expectedClickRate, offeredMs: nowMs };
    liveOffers.add(offer);
    accounts.get(campaign.id)!.offers += 1;
    const seen = history.get(creative.id) ?? { creativeId: creative.id, placement: "feed", category: "", impressions: 0, clicks: 0 };
    history.set(creative.id, { ...seen, impressions: seen.impressions + 1 });
    if (!random.isTrue(clickRates.get(creative.id) ?? 0)) continue;
    pending.push({ ...offer, creativeId: creative.id, clickedMs: nowMs - simulation.clickDelayMs * Math.log(1 - random.next()) });
  }
  settleClicks(Number.MAX_SAFE_INTEGER);
  return accounts;
}

const spendAt = (account: Account, nowMs: number) => ({
  spentMicroUsd: account.spentMicroUsd,
  spentTodayMicroUsd: account.day === dayOf(nowMs) ? account.spentTodayMicroUsd : 0,
});
