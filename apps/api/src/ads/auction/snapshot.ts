import type { Belief, RateCurves } from "./rate-curve.ts";
import type { CampaignOffers, Expected, LiveOffers } from "./live-offers.ts";
import type { TrafficCurve } from "./traffic-curve.ts";

export type AdFormat = "banner" | "native" | "interstitial";
export type Placement = "feed" | "sidebar" | "fullscreen";
export const adFormats = ["banner", "native", "interstitial"] as const satisfies readonly AdFormat[];
export const placements = ["feed", "sidebar", "fullscreen"] as const satisfies readonly Placement[];

export type AuctionCreative = { id: string; format: AdFormat };

/** An active campaign with its approved creatives. */
export type AuctionCampaign = {
  id: string;
  advertiserId: string;
  /** House campaigns cost nothing and serve only where no paying campaign may. */
  house: boolean;
  /** The most that a click may cost. */
  bidMicroUsd: number;
  budgetMicroUsd: number;
  spentMicroUsd: number;
  dailyBudgetMicroUsd: number | undefined;
  /** Spent on the UTC day of the snapshot's `nowMs`. */
  spentTodayMicroUsd: number;
  startsMs: number;
  /** The first moment at which it serves no more. */
  endsMs: number | undefined;
  /** When it last became active, where known: even pacing asks for no spend before. */
  activeSinceMs?: number | undefined;
  /** Empty: all. */
  categories: readonly string[];
  /** Empty: all. */
  placements: readonly Placement[];
  /** 0: anyone. Above: verified sessions with this score or more. */
  minTrust: number;
  pacing: "even" | "asap";
  creatives: readonly AuctionCreative[];
};

/** Valid impressions and valid clicks so far. The empty category is that of requests that named none. */
export type ClickHistory = { creativeId: string; placement: Placement; category: string; impressions: number; clicks: number };

/** Requests that have the same candidates. */
export type BucketKind = { format: AdFormat; placement: Placement; category: string };

/** A campaign as decisions see it: what was imported, and what has happened since. */
export type CampaignEntry = {
  readonly campaign: AuctionCampaign;
  /** Its place in the snapshot's columns. */
  readonly index: number;
  readonly advertiser: number;
  readonly paceKey: number;
  readonly offers: CampaignOffers;
  spentMicroUsd: number;
  spentTodayMicroUsd: number;
  /** The UTC day that `spentTodayMicroUsd` is about. */
  spentDay: number;
  room: Room | undefined;
};

/** What a campaign may still offer, worked out once until something changes or the next second begins. */
export type Room = {
  readonly second: number;
  readonly expected: Expected;
  /** What is left beside the clicks still to be expected. */
  readonly freeMicroUsd: number;
  /** The probability of taking part in an auction, for the sake of pacing. */
  readonly participation: number;
};

/** What is asked of every campaign that is looked at, side by side for the sake of the processor's caches. */
export type CampaignColumns = {
  readonly startsMs: Float64Array;
  readonly endsMs: Float64Array;
  readonly minTrust: Float64Array;
  readonly bidMicroUsd: Float64Array;
  /** What is left of the budget and of today's, whichever is less. */
  readonly leftMicroUsd: Float64Array;
  /** The UTC day that `leftMicroUsd` is about. */
  day: number;
};

/** `key`: what its draws are made from. */
export type ListedCreative = { readonly entry: CampaignEntry; readonly creative: AuctionCreative; readonly key: number };

/** `slot`: its place in the order of creative ids. It decides between equals, and does not change with bids. */
export type Candidate = ListedCreative & { readonly slot: number; readonly belief: Belief };

/** Draws with more than `share` of all draws above them do not lift bid × click rate above the candidate's bound. */
export type Bounds = { readonly share: number; readonly bounds: Float64Array };

/**
 * The candidates for one kind of request, sorted for the walk in `find-best.ts`: advertiser by advertiser,
 * those with the highest bound first, and within an advertiser by bound. All arrays but `positions` are in
 * that order.
 */
export type Bucket = {
  readonly candidates: readonly Candidate[];
  readonly curves: RateCurves;
  /** What a click is worth in the ranking; 1 for house ads, which are ranked by click rate alone. */
  readonly bids: Float64Array;
  /** No draw but a lucky one lifts bid × click rate above this. */
  readonly bounds: Float64Array;
  /** Closer bounds: for most of the draws that are not lucky, and for most of those that are. */
  readonly common: Bounds;
  readonly rare: Bounds;
  readonly keys: Uint32Array;
  readonly advertisers: Int32Array;
  /** Indexes of campaigns. */
  readonly campaigns: Int32Array;
  /** Where each advertiser's candidates start; the last value is the number of candidates. */
  readonly starts: Int32Array;
  /** Positions by slot. */
  readonly positions: Int32Array;
  /** The probability that a draw is lucky: above the score that bounds were made with. */
  readonly luckyShare: number;
  /** Campaigns were left out because their budgets are used up. */
  readonly isShortened: boolean;
};

/**
 * All that decisions are taken over. The index is fixed; what campaigns have spent is told to it as it happens
 * (`noteSpend`), and live offers are shared with it, so that neither needs a new snapshot.
 */
export type Snapshot = {
  readonly curve: TrafficCurve;
  readonly entries: readonly CampaignEntry[];
  readonly columns: CampaignColumns;
  entryOf(campaignId: string): CampaignEntry | undefined;
  /** Candidates for one kind of request: the paying ones, or the house's. Built when first asked for. */
  bucketOf(kind: BucketKind, house: boolean): Bucket;
  /** The category under which a request's category is known here. */
  categoryOf(category: string | undefined): string;
  /** The kinds of request that were asked for. */
  kindsInUse(): readonly (BucketKind & { house: boolean })[];
};

export type SnapshotContext = {
  nowMs: number;
  /** One object for the life of the process: it outlives snapshots. */
  liveOffers: LiveOffers;
  curve: TrafficCurve;
  /** Campaigns that have less than this left of their budget are not indexed at all; 1 where it is not said. */
  floorMicroUsd?: number;
};
