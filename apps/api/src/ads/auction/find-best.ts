import { keyForPurpose, normalQuantile, type Seed, uniformOf } from "./draws.ts";
import { rateAt } from "./rate-curve.ts";
import type { Bucket } from "./snapshot.ts";

/**
 * Finds the winner, and the best candidate of any other advertiser, without visiting every candidate.
 *
 * Each candidate draws a click rate from its belief and is ranked by bid × drawn rate (Thompson sampling). Draws
 * above the (1 − luckyShare) quantile are called lucky. Which candidates are lucky is drawn first, by skipping
 * from one to the next, and they are visited best first. For all others bid × rate is at most their bound, and
 * candidates are sorted by bound: the walk ends where no bound reaches the runner-up. The result is exactly that of drawing
 * for every candidate; the tests compare the two.
 *
 * The walk is short for any set of campaigns. A candidate is visited only if its probability of passing the
 * runner-up exceeds luckyShare. These probabilities add up to about two, so about 2 / luckyShare candidates are
 * visited, besides luckyShare × n lucky ones. With luckyShare = 1/√n both are of order √n.
 */
export type Ranked = { readonly position: number; readonly slot: number; readonly advertiser: number; readonly clickRate: number; readonly score: number };
export type Best = { winner: Ranked | undefined; runnerUp: Ranked | undefined; /** A campaign was skipped for lack of budget. */ skippedExhausted: boolean };

export type Bidders = {
  /** Campaigns with less budget left than `leastMicroUsd` are skipped without calling `bidOf`. */
  readonly leftMicroUsd: Float64Array;
  readonly leastMicroUsd: number;
  /** What a campaign can bid now, 0 when it may not serve. Called only when it can change the result. */
  bidOf(campaign: number): number;
};

const luckPurpose = 2;

/** By score, then by lower slot. */
export function ranksBefore(left: { score: number; slot: number }, right: { score: number; slot: number }): boolean {
  return left.score > right.score || (left.score === right.score && left.slot < right.slot);
}

/** The share of draws above a candidate's draw: below `luckyShare` for lucky candidates, above it for all others. */
export const shareAbove = (uniform: number, lucky: boolean, luckyShare: number): number =>
  lucky ? luckyShare * uniform : luckyShare + (1 - luckyShare) * uniform;

/** Each slot is lucky with probability `luckyShare`, independently. A callback, because a generator costs as much as the visit. */
export function eachLuckySlot(seed: Seed, bucket: { luckyShare: number; size: number }, visit: (slot: number) => void): void {
  const perLog = 1 / Math.log1p(-bucket.luckyShare);
  let slot = -1;
  for (let step = 0; ; step += 1) {
    slot += 1 + Math.floor(Math.log(uniformOf(seed, keyForPurpose(step, luckPurpose))) * perLog);
    if (slot >= bucket.size) return;
    visit(slot);
  }
}

function updateBest(best: Best, found: Ranked): void {
  const { winner, runnerUp } = best;
  if (!winner || ranksBefore(found, winner)) {
    if (winner && winner.advertiser !== found.advertiser) best.runnerUp = winner;
    best.winner = found;
  } else if (winner.advertiser !== found.advertiser && (!runnerUp || ranksBefore(found, runnerUp))) best.runnerUp = found;
}

/** The lucky candidates of the request being decided. */
const lucky: { positions: number[]; clickRates: number[]; scores: number[] } = { positions: [], clickRates: [], scores: [] };

function indexOfHighest(values: readonly number[], count: number): number {
  let highest = 0;
  for (let index = 1; index < count; index += 1) if (values[index]! > values[highest]!) highest = index;
  return highest;
}

export function findBest(bucket: Bucket, seed: Seed, bidders: Bidders): Best {
  const { candidates, curves, bids, bounds, keys, advertisers, campaigns, starts, positions, luckyShare, common } = bucket;
  const { leftMicroUsd, leastMicroUsd } = bidders;
  const best: Best = { winner: undefined, runnerUp: undefined, skippedExhausted: false };

  /** The score that a candidate of this advertiser must reach to change the result. */
  const barFor = (advertiser: number): number => (best.winner?.advertiser === advertiser ? best.winner.score : (best.runnerUp?.score ?? 0));

  /** `score`: with the whole bid, which the budget may not allow any more. */
  function consider(position: number, clickRate: number, score: number): void {
    const advertiser = advertisers[position]!;
    if (score < barFor(advertiser)) return;
    const bid = bidders.bidOf(campaigns[position]!);
    if (bid > 0) updateBest(best, { position, slot: candidates[position]!.slot, advertiser, clickRate, score: bid * clickRate });
  }

  function visit(position: number): void {
    const above = shareAbove(uniformOf(seed, keys[position]!), false, luckyShare);
    // Most draws are known to fall short before their click rate is computed.
    if (above > common.share && common.bounds[position]! < barFor(advertisers[position]!)) return;
    const clickRate = rateAt(curves, position, normalQuantile(1 - above, above));
    consider(position, clickRate, bids[position]! * clickRate);
  }

  let luckyCount = 0;
  eachLuckySlot(seed, { luckyShare, size: candidates.length }, (slot) => {
    const position = positions[slot]!;
    const above = shareAbove(uniformOf(seed, keys[position]!), true, luckyShare);
    const clickRate = rateAt(curves, position, normalQuantile(1 - above, above));
    lucky.positions[luckyCount] = position;
    lucky.clickRates[luckyCount] = clickRate;
    lucky.scores[luckyCount] = bids[position]! * clickRate;
    luckyCount += 1;
  });
  // Best first, so that few campaigns are asked what they can bid.
  for (;;) {
    const next = indexOfHighest(lucky.scores, luckyCount);
    const score = lucky.scores[next] ?? 0;
    if (luckyCount === 0 || score < (best.runnerUp?.score ?? 0)) break;
    consider(lucky.positions[next]!, lucky.clickRates[next]!, score);
    luckyCount -= 1;
    lucky.positions[next] = lucky.positions[luckyCount]!;
    lucky.clickRates[next] = lucky.clickRates[luckyCount]!;
    lucky.scores[next] = lucky.scores[luckyCount]!;
  }
  // The walk may visit a lucky candidate again. Its draw is then lower than before and changes nothing.
  for (let segment = 0; segment + 1 < starts.length; segment += 1) {
    const from = starts[segment]!;
    if (bounds[from]! < (best.runnerUp?.score ?? 0)) break;
    const until = starts[segment + 1]!;
    const advertiser = advertisers[from]!;
    for (let position = from; position < until && bounds[position]! >= barFor(advertiser); position += 1) {
      if (leftMicroUsd[campaigns[position]!]! >= leastMicroUsd) visit(position);
      else best.skippedExhausted = true;
    }
  }
  return best;
}
