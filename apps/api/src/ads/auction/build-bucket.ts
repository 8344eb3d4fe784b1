import type { ClickRates } from "./click-rate.ts";
import { normalQuantile } from "./draws.ts";
import { fillColumn } from "./fill-column.ts";
import { rateAt, type RateCurves, rateCurvesOf } from "./rate-curve.ts";
import type { Bounds, Bucket, BucketKind, Candidate, ListedCreative } from "./snapshot.ts";
import { wants } from "./targeting.ts";

/** Half of the draws at most are lucky, so that small buckets still have bounds worth the name. */
const luckyShareMax = 0.5;
/** Lucky draws expected, in square roots of the number of candidates: see find-best.ts. */
const luckyPerRoot = 0.5;
/** Of the lucky draws, this share is above the bound for the others. */
const rareOfLucky = 1 / 16;
/** Bounds are a hair above the exact value, in case the approximation's last bits do not rise with the draw. */
const boundSlack = 1 + 1e-9;

type Context = { kind: BucketKind; house: boolean; rates: ClickRates; floorMicroUsd: number };

/**
 * In the order of creative ids, as `listed` is. Campaigns that are done stay active for ever, and would in time be
 * most of all: they are left out. Daily budgets return at midnight and are no reason.
 */
function findCandidates(listed: readonly ListedCreative[], context: Context): { found: Candidate[]; isShortened: boolean } {
  const { kind, house, rates, floorMicroUsd } = context;
  const found: Candidate[] = [];
  let isShortened = false;
  for (const { entry, creative, key } of listed) {
    const { campaign, spentMicroUsd } = entry;
    if (creative.format !== kind.format || campaign.house !== house || !wants(campaign, kind)) continue;
    if (!house && campaign.budgetMicroUsd - spentMicroUsd < floorMicroUsd) isShortened = true;
    else found.push({ entry, creative, key, slot: found.length, belief: rates.believe(campaign, creative.id, kind) });
  }
  return { found, isShortened };
}

const rankingBid = ({ entry: { campaign } }: Candidate): number => (campaign.house ? 1 : campaign.bidMicroUsd);

function boundsAt(share: number, bids: Float64Array, curves: RateCurves): Bounds {
  const score = normalQuantile(1 - share, share);
  return { share, bounds: fillColumn(new Float64Array(bids.length), bids, (bid, index) => bid * rateAt(curves, index, score) * boundSlack) };
}

/** Slots in the order of the walk: see `Bucket`. */
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

/** Where the walk comes to another advertiser; the last value is the number of candidates. */
function startsOf(advertisers: Int32Array): Int32Array {
  const starts: number[] = [];
  for (let position = 0; position < advertisers.length; position += 1) if (position === 0 || advertisers[position - 1] !== advertisers[position]) starts.push(position);
  starts.push(advertisers.length);
  return Int32Array.from(starts);
}

export function buildBucket(listed: readonly ListedCreative[], context: Context): Bucket {
  const { found: bySlot, isShortened } = findCandidates(listed, context);
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
    rare: boundsAt(luckyShare * rareOfLucky, bids, curves),
    keys: fillColumn(new Uint32Array(count), candidates, ({ key }) => key),
    advertisers,
    campaigns: fillColumn(new Int32Array(count), candidates, ({ entry }) => entry.index),
    starts: startsOf(advertisers),
    positions,
    luckyShare,
    isShortened,
  };
}
