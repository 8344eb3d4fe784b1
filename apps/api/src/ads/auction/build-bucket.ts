import type { ClickRates } from "./click-rate.ts";
import { normalQuantile } from "./draws.ts";
import { rateAt, type RateCurves, rateCurvesOf } from "./rate-curve.ts";
import { type Bounds, type Bucket, type BucketKind, type Candidate, type ListedCreative, matchesTargeting } from "./snapshot.ts";

/** At most half of the draws are lucky, so that bounds are useful in small buckets too. */
const luckyShareMax = 0.5;
/** Expected lucky draws, as a multiple of the square root of the number of candidates: see find-best.ts. */
const luckyPerRoot = 0.5;
/** Bounds are slightly above the exact value: the approximation may not be monotonic in its last bits. */
const boundSlack = 1 + 1e-9;

type Context = { kind: BucketKind; house: boolean; rates: ClickRates; floorMicroUsd: number };

/** Fills a typed array from a list. `Float64Array.from` with a function takes ten times as long. */
export function fillColumn<Column extends Float64Array | Int32Array | Uint32Array | Uint8Array, Item>(
  column: Column,
  items: ArrayLike<Item>,
  valueOf: (item: Item, index: number) => number,
): Column {
  for (let index = 0; index < column.length; index += 1) column[index] = valueOf(items[index]!, index);
  return column;
}

/**
 * In the order of creative ids, like `listed`. Campaigns that have spent their budget stay active forever and would
 * eventually outnumber the others, so they are left out. A spent daily budget does not count: it resets at midnight.
 */
function findCandidates(listed: readonly ListedCreative[], context: Context): { found: Candidate[]; omitsExhausted: boolean } {
  const { kind, house, rates, floorMicroUsd } = context;
  const found: Candidate[] = [];
  let omitsExhausted = false;
  for (const { entry, creative, key } of listed) {
    const { campaign, spentMicroUsd } = entry;
    if (creative.format !== kind.format || campaign.house !== house || !matchesTargeting(campaign, kind)) continue;
    if (!house && campaign.budgetMicroUsd - spentMicroUsd < floorMicroUsd) omitsExhausted = true;
    else found.push({ entry, creative, key, slot: found.length, belief: rates.estimate(campaign, creative.id, kind) });
  }
  return { found, omitsExhausted };
}

const rankingBid = ({ entry: { campaign } }: Candidate): number => (campaign.house ? 1 : campaign.bidMicroUsd);

function boundsAt(share: number, bids: Float64Array, curves: RateCurves): Bounds {
  const score = normalQuantile(1 - share, share);
  return { share, bounds: fillColumn(new Float64Array(bids.length), bids, (bid, index) => bid * rateAt(curves, index, score) * boundSlack) };
}

/** Slots in visiting order: see `Bucket`. */
function sortByBound(candidates: readonly Candidate[], bounds: Float64Array): Int32Array {
  const count = candidates.length;
  const advertisers = fillColumn(new Int32Array(count), candidates, ({ entry }) => entry.advertiser);
  const highest = new Map<number, number>();
  for (let slot = 0; slot < count; slot += 1) {
    const advertiser = advertisers[slot]!;
    highest.set(advertiser, Math.max(bounds[slot]!, highest.get(advertiser) ?? 0));
  }
  const tops = fillColumn(new Float64Array(count), advertisers, (advertiser) => highest.get(advertiser)!);
  return fillColumn(new Int32Array(count), candidates, ({ slot }) => slot).toSorted(
    (left, right) =>
      tops[right]! - tops[left]! || advertisers[left]! - advertisers[right]! || bounds[right]! - bounds[left]! || left - right,
  );
}

/** The position at which each advertiser starts, followed by the number of candidates. */
function startsOf(advertisers: Int32Array): Int32Array {
  const starts: number[] = [];
  for (let position = 0; position < advertisers.length; position += 1) if (position === 0 || advertisers[position - 1] !== advertisers[position]) starts.push(position);
  starts.push(advertisers.length);
  return Int32Array.from(starts);
}

export function buildBucket(listed: readonly ListedCreative[], context: Context): Bucket {
  const { found: bySlot, omitsExhausted } = findCandidates(listed, context);
  const count = bySlot.length;
  const luckyShare = Math.min(luckyShareMax, luckyPerRoot / Math.sqrt(Math.max(1, count)));
  const curvesBySlot = rateCurvesOf(bySlot.map(({ belief }) => belief));
  const order = sortByBound(bySlot, boundsAt(luckyShare, fillColumn(new Float64Array(count), bySlot, rankingBid), curvesBySlot).bounds);

  const candidates = Array.from(order, (slot) => bySlot[slot]!);
  const positions = new Int32Array(count);
  for (let position = 0; position < count; position += 1) positions[order[position]!] = position;
  const bids = fillColumn(new Float64Array(count), candidates, rankingBid);
  const curves = rateCurvesOf(candidates.map(({ belief }) => belief));
  const advertisers = fillColumn(new Int32Array(count), candidates, ({ entry }) => entry.advertiser);
  return {
    candidates,
    curves,
    bids,
    bounds: boundsAt(luckyShare, bids, curves).bounds,
    common: boundsAt(Math.sqrt(luckyShare), bids, curves),
    keys: fillColumn(new Uint32Array(count), candidates, ({ key }) => key),
    advertisers,
    campaigns: fillColumn(new Int32Array(count), candidates, ({ entry }) => entry.index),
    starts: startsOf(advertisers),
    positions,
    luckyShare,
    omitsExhausted,
  };
}
