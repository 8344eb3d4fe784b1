import type { AuctionRequest } from "../../../src/ads/auction/decide.ts";
import { normalQuantile, takeSeed, uniformOf } from "../../../src/ads/auction/draws.ts";
import { eachLuckySlot, shareAbove } from "../../../src/ads/auction/find-best.ts";
import { affordableBid, findObstacle } from "../../../src/ads/auction/may-serve.ts";
import { rateAt } from "../../../src/ads/auction/rate-curve.ts";
import type { Candidate, Snapshot } from "../../../src/ads/auction/snapshot.ts";

export type Scanned = { candidate: Candidate; clickRate: number; bid: number; score: number };

/** Brute-force auction: every candidate draws, and all that may serve are sorted. `decide` must agree with it. */
export function scanAuction(snapshot: Snapshot, request: AuctionRequest): Scanned[] {
  const { format, placement, nowMs, verifiedTrust, isAttested = false, floorMicroUsd, accountId } = request;
  const seed = takeSeed(request.random);
  const context = { nowMs, verifiedTrust, isAttested, floorMicroUsd, seed, accountId };
  const bucket = snapshot.bucketOf({ format, placement, category: snapshot.categoryOf(request.category) }, false);
  const { candidates, luckyShare, curves } = bucket;
  const lucky = new Set<number>();
  eachLuckySlot(seed, { luckyShare, size: candidates.length }, (slot) => lucky.add(slot));
  const ranked = candidates.flatMap((candidate, position): Scanned[] => {
    const { entry, slot } = candidate;
    const bid = findObstacle(snapshot, entry.index, context) ?? affordableBid(snapshot, entry.index, context);
    if (typeof bid !== "number") return [];
    const above = shareAbove(uniformOf(seed, bucket.keys[position]!), lucky.has(slot), luckyShare);
    const clickRate = rateAt(curves, position, normalQuantile(1 - above, above));
    return [{ candidate, clickRate, bid, score: bid * clickRate }];
  });
  return ranked.toSorted((left, right) => right.score - left.score || left.candidate.slot - right.candidate.slot);
}

/** The lowest integer bid, at least the floor, with which the winner still beats the best other advertiser. */
export function scanPrice(ranked: readonly Scanned[], floorMicroUsd: number): number {
  const [winner] = ranked;
  const other = ranked.find(({ candidate }) => candidate.entry.advertiser !== winner!.candidate.entry.advertiser);
  let [low, high] = [floorMicroUsd, winner!.bid];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const score = middle * winner!.clickRate;
    const wins = !other || score > other.score || (score === other.score && winner!.candidate.slot < other.candidate.slot);
    if (wins) high = middle;
    else low = middle + 1;
  }
  return low;
}
