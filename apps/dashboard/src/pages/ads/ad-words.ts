import type { NoFillReason } from "@assay/contract/ads.ts";
import type { trustBands } from "@assay/contract/dashboard/campaigns.ts";
import type { PlaygroundAdRequest } from "@assay/contract/dashboard/playground.ts";

/** Why a click paid nobody, as the ledger's codes say it, for people. */
const ignoreWords: Readonly<Record<string, string>> = {
  duplicate: "The same ad was clicked before; the first click counts.",
  expired: "The click came more than two hours after the ad was offered.",
  no_impression: "The ad was never reported as seen: fetch impression_tracking_url when it is shown.",
  too_fast: "Under half a second after the ad was offered: faster than anybody reads.",
  prefetch: "A browser or mail program fetched the link ahead of a person.",
  automated_agent: "A program followed the link, not a person.",
  campaign_ended: "The campaign was paused or over when the click came.",
  budget_exhausted: "The advertiser's budget was used up.",
  test_key: "The ad was asked for with a test key.",
  house_ad: "House ads pay nothing.",
  account_inactive: "The account was suspended or closed.",
};

const noFillWords: Readonly<Record<NoFillReason, string>> = {
  no_campaign: "No campaign is for this format, placement and category, and house ads are off.",
  not_scheduled: "The campaigns that fit have not started, or are over.",
  trust_required: "The campaigns that fit ask for a verified, trusted session: send session_id.",
  bid_under_floor: "The campaigns that fit bid less than a click must cost.",
  budget_used_up: "The campaigns that fit have no budget left.",
  paced: "The campaigns that fit spread their budget over the day, and are ahead of it.",
  session_offer_limit: "This session had as many ads as a session gets.",
  test_scenario: "A test asked for this answer.",
};

/** A code that is newer than this page is shown as it is. */
export const explainIgnored = (code: string): string => ignoreWords[code] ?? code;
export const explainNoFill = (code: string): string => noFillWords[code as NoFillReason] ?? code;

export type Format = PlaygroundAdRequest["format"];
export type Placement = PlaygroundAdRequest["placement"];

// Listed here and checked against the contract's types: its values would bring the schema library into the browser.
export const formatNames: Record<Format, string> = { banner: "Banner", native: "Native", interstitial: "Interstitial" };
export const placementNames: Record<Placement, string> = { feed: "Feed", sidebar: "Sidebar", fullscreen: "Full screen" };
export const formats = Object.keys(formatNames) as Format[];
export const placements = Object.keys(placementNames) as Placement[];
export const trustBandNames: Record<(typeof trustBands)[number], string> = {
  high: "High trust",
  medium: "Medium trust",
  low: "Low trust",
  unverified: "No session named",
};
