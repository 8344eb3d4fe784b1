import type { AdFormat, Placement } from "../../store/schema-ads.ts";
import type { CampaignOffers, Expected, LiveOffers } from "./live-offers.ts";
import type { Belief, RateCurves } from "./rate-curve.ts";
import type { TrafficCurve } from "./traffic-curve.ts";

/** The minimum price of a click: 0.01 USD. */
export const floorMicroUsd = 10_000;

export type AuctionCreative = { id: string; format: AdFormat };

/** An active campaign with its approved creatives. */
export type AuctionCampaign = {
  id: string;
  advertiserId: string;
  /** House campaigns cost nothing and serve only where no paying campaign can. */
  house: boolean;
  /** The maximum price of a click. */
  bidMicroUsd: number;
  budgetMicroUsd: number;
  spentMicroUsd: number;
  dailyBudgetMicroUsd: number | undefined;
  /** Spent on the UTC day of the snapshot's `nowMs`. */
  spentTodayMicroUsd: number;
  startsMs: number;
  /** Exclusive. */
  endsMs: number | undefined;
  /** When it last became active, if known: even pacing expects no spend before. */
  activeSinceMs?: number | undefined;
  /** Empty: all. */
  categories: readonly string[];
  /** Empty: all. */
  placements: readonly Placement[];
  /** 0: any visitor. Above 0: verified sessions with at least this score. */
  minTrust: number;
  /** Serves only to attested sessions, whatever `minTrust` is. */
  attestedOnly: boolean;
  pacing: "even" | "asap";
  creatives: readonly AuctionCreative[];
};

/** Valid impressions and clicks so far. The empty category stands for requests without one. */
export type ClickHistory = { creativeId: string; placement: Placement; category: string; impressions: number; clicks: number };

/** Requests that have the same candidates. */
export type BucketKind = { format: AdFormat; placement: Placement; category: string };

/** Whether a campaign targets this placement and category. The format depends on its creatives. */
export const matchesTargeting = ({ placements, categories }: AuctionCampaign, { placement, category }: BucketKind): boolean =>
  (placements.length === 0 || placements.includes(placement)) && (categories.length === 0 || categories.includes(category));

/** A campaign in a snapshot, with its current spend. */
export type CampaignEntry = {
  readonly campaign: AuctionCampaign;
  /** Index into the snapshot's columns. */
  readonly index: number;
  readonly advertiser: number;
  readonly paceKey: number;
  readonly offers: CampaignOffers;
  spentMicroUsd: number;
  spentTodayMicroUsd: number;
  /** The UTC day of `spentTodayMicroUsd`. */
  spentDay: number;
  headroom: Headroom | undefined;
};

/** What a campaign may still offer, cached until something changes or the next second begins. */
export type Headroom = {
  readonly second: number;
  readonly expected: Expected;
  /** The budget left after the reserve for outstanding offers. */
  readonly freeMicroUsd: number;
  /** The probability of taking part in an auction under pacing. */
  readonly participation: number;
};

/** The fields checked for every visited campaign, in typed arrays for cache locality. */
export type CampaignColumns = {
  readonly startsMs: Float64Array;
  readonly endsMs: Float64Array;
  readonly minTrust: Float64Array;
  /** 1: only attested sessions. */
  readonly attestedOnly: Uint8Array;
  readonly bidMicroUsd: Float64Array;
  /** What is left of the budget or of the daily budget, whichever is less. */
  readonly leftMicroUsd: Float64Array;
  /** The UTC day of `leftMicroUsd`. */
  day: number;
};

/** `key` determines its draws. */
export type ListedCreative = { readonly entry: CampaignEntry; readonly creative: AuctionCreative; readonly key: number };

/** `slot`: its rank in the order of creative ids. It breaks ties, and bids do not change it. */
export type Candidate = ListedCreative & { readonly slot: number; readonly belief: Belief };

/** A draw with more than `share` of all draws above it does not lift bid × click rate above the candidate's bound. */
export type Bounds = { readonly share: number; readonly bounds: Float64Array };

/**
 * The candidates for one kind of request, sorted for the walk in find-best.ts: advertisers by their highest bound,
 * and within an advertiser by bound. All arrays except `positions` are in this order.
 */
export type Bucket = {
  readonly candidates: readonly Candidate[];
  readonly curves: RateCurves;
  /** 1 for house ads, which are ranked by click rate alone. */
  readonly bids: Float64Array;
  /** Only a lucky draw lifts bid × click rate above this. */
  readonly bounds: Float64Array;
  /** Tighter bounds, for most draws that are not lucky. */
  readonly common: Bounds;
  readonly keys: Uint32Array;
  readonly advertisers: Int32Array;
  readonly campaigns: Int32Array;
  /** The position at which each advertiser's candidates start, followed by the number of candidates. */
  readonly starts: Int32Array;
  /** Positions by slot. */
  readonly positions: Int32Array;
  /** The probability that a draw is lucky, i.e. above the score that `bounds` were made with. */
  readonly luckyShare: number;
  /** Campaigns were left out because their budgets are spent. */
  readonly omitsExhausted: boolean;
};

/**
 * The index that decisions are made from. It is fixed, except that `updateSpend` keeps spend current and live offers
 * are shared with it, so neither needs a new snapshot.
 */
export type Snapshot = {
  readonly curve: TrafficCurve;
  readonly entries: readonly CampaignEntry[];
  readonly columns: CampaignColumns;
  entryOf(campaignId: string): CampaignEntry | undefined;
  /** Paying or house candidates for one kind of request, built on first use. */
  bucketOf(kind: BucketKind, house: boolean): Bucket;
  /** The category that a request's category is learnt under. */
  categoryOf(category: string | undefined): string;
  /** The kinds of request whose buckets were built. */
  kindsInUse(): readonly (BucketKind & { house: boolean })[];
};

export type SnapshotContext = {
  nowMs: number;
  /** One object per process: it outlives snapshots. */
  liveOffers: LiveOffers;
  curve: TrafficCurve;
  /** Campaigns with less budget left than this are not indexed. Default 1. */
  floorMicroUsd?: number;
};
