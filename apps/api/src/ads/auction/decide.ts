import type { AdFormat, Placement } from "../../store/schema-ads.ts";
import { takeSeed } from "./draws.ts";
import { findBest, ranksBefore, type Ranked } from "./find-best.ts";
import { affordableBid, findObstacle, type Obstacle, obstacles, type ServingContext, rollOverDay } from "./may-serve.ts";
import { cautiousRate } from "./rate-curve.ts";
import type { AuctionCampaign, AuctionCreative, Bucket, Snapshot } from "./snapshot.ts";

export type AuctionRequest = {
  format: AdFormat;
  placement: Placement;
  category?: string | undefined;
  /** Whose unclicked offers are counted; undefined: nobody's, for a request that reserves nothing. */
  accountId?: string | undefined;
  /** The score of a verified session, never a score that the caller claims. */
  verifiedTrust?: number | undefined;
  /** Whether that session is attested. Default: it is not. */
  isAttested?: boolean | undefined;
  houseAdsAllowed: boolean;
  nowMs: number;
  /** Uniform within [0, 1). */
  random: () => number;
  /** The minimum price of a click, 1 or more. */
  floorMicroUsd: number;
};

/** Why no ad was offered: the obstacle of the campaign that got furthest. */
export type NoFillReason = "no_campaign" | Obstacle;

export type Decision =
  | {
      kind: "offer";
      campaign: AuctionCampaign;
      creative: AuctionCreative;
      /** The price of a valid click; 0 for house ads. */
      priceMicroUsd: number;
      /** For live offers: the mean of the belief plus a margin for uncertainty, not the draw that won. */
      expectedClickRate: number;
    }
  | { kind: "no_fill"; reason: NoFillReason };

/**
 * The lowest whole bid with which the winner still ranks before the best candidate of another advertiser, and at
 * least the floor: the exact quotient rounded up, plus one where the other wins the tie. It never exceeds the
 * winner's bid, because that bid ranked first.
 */
export function secondPriceMicroUsd(winner: Ranked, runnerUp: Ranked | undefined, floorMicroUsd: number): number {
  const least = Math.max(1, Math.ceil(floorMicroUsd));
  if (!runnerUp) return least;
  const wins = (bid: number) => ranksBefore({ score: bid * winner.clickRate, slot: winner.slot }, runnerUp);
  // The quotient may be off by one unit in the last place.
  let price = Math.max(1, Math.ceil(runnerUp.score / winner.clickRate) - 1);
  while (!wins(price)) price += 1;
  return Math.max(least, price);
}

function bucketFor(snapshot: Snapshot, { format, placement, category }: AuctionRequest, house: boolean): Bucket {
  return snapshot.bucketOf({ format, placement, category: snapshot.categoryOf(category) }, house);
}

function decidePaying(snapshot: Snapshot, request: AuctionRequest, context: ServingContext): Decision {
  const bucket = bucketFor(snapshot, request, false);
  let furthest = -1;
  const { winner, runnerUp, skippedExhausted } = findBest(bucket, context.seed, {
    leftMicroUsd: snapshot.columns.leftMicroUsd,
    leastMicroUsd: context.floorMicroUsd,
    bidOf(campaign) {
      const bid = findObstacle(snapshot, campaign, context) ?? affordableBid(snapshot, campaign, context);
      if (typeof bid === "number") return bid;
      furthest = Math.max(furthest, obstacles.indexOf(bid));
      return 0;
    },
  });
  if (!winner) {
    if (bucket.omitsExhausted || skippedExhausted) furthest = Math.max(furthest, obstacles.indexOf("budget_used_up"));
    return { kind: "no_fill", reason: obstacles[furthest] ?? "no_campaign" };
  }
  return offer(bucket, winner, secondPriceMicroUsd(winner, runnerUp, context.floorMicroUsd));
}

function decideHouse(snapshot: Snapshot, request: AuctionRequest, context: ServingContext): Decision | undefined {
  const bucket = bucketFor(snapshot, request, true);
  const { winner } = findBest(bucket, context.seed, {
    leftMicroUsd: snapshot.columns.leftMicroUsd,
    leastMicroUsd: Number.NEGATIVE_INFINITY,
    bidOf: (campaign) => (findObstacle(snapshot, campaign, context) ? 0 : 1),
  });
  return winner && offer(bucket, winner, 0);
}

function offer(bucket: Bucket, winner: Ranked, priceMicroUsd: number): Decision {
  const { entry, creative, belief } = bucket.candidates[winner.position]!;
  return { kind: "offer", campaign: entry.campaign, creative, priceMicroUsd, expectedClickRate: cautiousRate(belief) };
}

/** Filter, estimate, rank, price, pace: the ad for one request, or why there is none. */
export function decide(snapshot: Snapshot, request: AuctionRequest): Decision {
  const { accountId, nowMs, verifiedTrust, isAttested = false } = request;
  const floorMicroUsd = Math.max(1, Math.ceil(request.floorMicroUsd));
  const context = { accountId, nowMs, verifiedTrust, isAttested, floorMicroUsd, seed: takeSeed(request.random) };
  rollOverDay(snapshot, nowMs);
  const decision = decidePaying(snapshot, request, context);
  if (decision.kind === "offer" || !request.houseAdsAllowed) return decision;
  return decideHouse(snapshot, request, context) ?? decision;
}
