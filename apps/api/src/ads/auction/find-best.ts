import { keyForPurpose, normalQuantile, type Seed, uniformOf } from "./draws.ts";
import { rateAt } from "./rate-curve.ts";
import type { Bucket } from "./snapshot.ts";

/**
 * Who ranks first, and who ranks first among the other advertisers, found without looking at everyone.
 *
 * Each candidate draws a click rate from what is believed of it, and is ranked by bid × drawn rate (Thompson
 * sampling). Draws above the (1 − luckyShare) quantile are called lucky. Which candidates are lucky is drawn
 * first, by skipping from one to the next, so only they are touched. For all others bid × rate is at most
 * their bound, and candidates are kept in the order of bounds: the walk ends where no bound reaches what was
 * found. The result is the one that drawing for everyone would give, exactly, and the tests compare the two.
 *
 * The walk is short whatever the campaigns look like. A candidate is visited only if its chance to pass the
 * runner-up exceeds luckyShare; the chances of passing a runner-up add up to about two, so about
 * 2 / luckyShare are visited, besides luckyShare × n lucky ones. With luckyShare = 1/√n both are of order √n.
 */
export type Ranked = { readonly position: number; readonly slot: number; readonly advertiser: number; readonly clickRate: number; readonly score: number };
export type Best = { winner: Ranked | undefined; runnerUp: Ranked | undefined; /** Some had too little left. */ hasShort: boolean };

export type Bidders = {
  /** What campaigns have left, and the least with which it is worth asking them: they are passed over at the cost of a look. */
  readonly leftMicroUsd: Float64Array;
  readonly leastMicroUsd: number;
  /** What a campaign can bid now, 0 when it may not serve. Asked only when it could matter. */
  bidOf(campaign: number): number;
};

const luckPurpose = 2;

/** Ranks before: the higher score, or the same score and the lower slot. */
export function ranksBefore(left: { score: number; slot: number }, right: { score: number; slot: number }): boolean {
  return left.score > right.score || (left.score === right.score && left.slot < right.slot);
}

/** The share of draws above a candidate's draw: below `luckyShare` for the lucky, above it for all others. */
export const shareAbove = (uniform: number, lucky: boolean, luckyShare: number): number =>
  lucky ? luckyShare * uniform : luckyShare + (1 - luckyShare) * uniform;

/**
 * The slots of the lucky: each is one with the probability `luckyShare`, independently of all others. Calls
 * back rather than yields, which would cost as much as the visit.
 */
export function eachLuckySlot(seed: Seed, bucket: { luckyShare: number; size: number }, visit: (slot: number) => void): void {
  const perLog = 1 / Math.log1p(-bucket.luckyShare);
  let slot = -1;
  for (let step = 0; ; step += 1) {
    slot += 1 + Math.floor(Math.log(uniformOf(seed, keyForPurpose(step, luckPurpose))) * perLog);
    if (slot >= bucket.size) return;
    visit(slot);
  }
}

function note(best: Best, found: Ranked): void {
  const { winner, runnerUp } = best;
  if (!winner || ranksBefore(found, winner)) {
    if (winner && winner.advertiser !== found.advertiser) best.runnerUp = winner;
    best.winner = found;
  } else if (winner.advertiser !== found.advertiser && (!runnerUp || ranksBefore(found, runnerUp))) best.runnerUp = found;
}

export function findBest(bucket: Bucket, seed: Seed, bidders: Bidders): Best {
  const { candidates, curves, bids, bounds, keys, advertisers, campaigns, starts, positions, luckyShare } = bucket;
  const { common, rare } = bucket;
  const { leftMicroUsd, leastMicroUsd } = bidders;
  const best: Best = { winner: undefined, runnerUp: undefined, hasShort: false };

  /** The score that a candidate of this advertiser must reach to change anything. */
  const barFor = (advertiser: number): number => (best.winner?.advertiser === advertiser ? best.winner.score : (best.runnerUp?.score ?? 0));

  function visit(position: number, lucky: boolean): void {
    const advertiser = advertisers[position]!;
    const campaign = campaigns[position]!;
    const bar = barFor(advertiser);
    // While nobody is found everybody matters, and those who may not serve need not draw.
    let bid = bar === 0 ? bidders.bidOf(campaign) : bids[position]!;
    if (bid === 0) return;
    const above = shareAbove(uniformOf(seed, keys[position]!), lucky, luckyShare);
    // Most draws are known to fall short before their click rate is worked out.
    const nearer = lucky ? rare : common;
    if (above > nearer.share && nearer.bounds[position]! < bar) return;
    const clickRate = rateAt(curves, position, normalQuantile(1 - above, above));
    if (bid * clickRate < bar) return;
    if (bar > 0) bid = bidders.bidOf(campaign);
    if (bid > 0) note(best, { position, slot: candidates[position]!.slot, advertiser, clickRate, score: bid * clickRate });
  }

  eachLuckySlot(seed, { luckyShare, size: candidates.length }, (slot) => visit(positions[slot]!, true));
  // The walk may come upon a lucky one again. Without its luck it draws less than before, and changes nothing.
  for (let segment = 0; segment + 1 < starts.length; segment += 1) {
    const from = starts[segment]!;
    if (bounds[from]! < (best.runnerUp?.score ?? 0)) break;
    const until = starts[segment + 1]!;
    const advertiser = advertisers[from]!;
    for (let position = from; position < until && bounds[position]! >= barFor(advertiser); position += 1) {
      if (leftMicroUsd[campaigns[position]!]! >= leastMicroUsd) visit(position, false);
      else best.hasShort = true;
    }
  }
  return best;
}
