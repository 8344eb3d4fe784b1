import { buildSnapshot } from "../../../src/ads/auction/build-snapshot.ts";
import type { AuctionRequest } from "../../../src/ads/auction/decide.ts";
import { createLiveOffers, type LiveOffers } from "../../../src/ads/auction/live-offers.ts";
import type { AuctionCampaign, ClickHistory, Snapshot } from "../../../src/ads/auction/snapshot.ts";
import { evenCurve, type TrafficCurve } from "../../../src/ads/auction/traffic-curve.ts";

/** Noon on an arbitrary day. */
export const noonMs = Date.parse("2026-03-04T12:00:00Z");
export const usd = 1_000_000;

/** A campaign that may serve anywhere, with its own advertiser and one banner. */
export function makeCampaign(id: string, options: Partial<AuctionCampaign> = {}): AuctionCampaign {
  return {
    id,
    advertiserId: `advertiser of ${id}`,
    house: false,
    bidMicroUsd: 250_000,
    budgetMicroUsd: 1_000_000 * usd,
    spentMicroUsd: 0,
    dailyBudgetMicroUsd: undefined,
    spentTodayMicroUsd: 0,
    startsMs: 0,
    endsMs: undefined,
    categories: [],
    placements: [],
    minTrust: 0,
    attestedOnly: false,
    pacing: "asap",
    creatives: [{ id: `creative of ${id}`, format: "banner" }],
    ...options,
  };
}

type SnapshotOptions = { history?: readonly ClickHistory[]; nowMs?: number; liveOffers?: LiveOffers; curve?: TrafficCurve };

export function makeSnapshot(campaigns: readonly AuctionCampaign[], options: SnapshotOptions = {}): Snapshot {
  const { history = [], nowMs = noonMs, liveOffers = createLiveOffers(), curve = evenCurve } = options;
  return buildSnapshot(campaigns, history, { nowMs, liveOffers, curve });
}

export function makeRequest(random: () => number, options: Partial<AuctionRequest> = {}): AuctionRequest {
  return { format: "banner", placement: "feed", houseAdsAllowed: true, nowMs: noonMs, floorMicroUsd: 10_000, random, ...options };
}
