import type { NoFillReason } from "@assay/contract/ads.ts";
import type { trustBands } from "@assay/contract/dashboard/campaigns.ts";
import type { PlaygroundAdRequest } from "@assay/contract/dashboard/playground.ts";

const ignoreReasonTexts: Readonly<Record<string, string>> = {
  duplicate: "This ad was already clicked. Only the first click counts.",
  expired: "The click came more than two hours after the offer.",
  no_impression: "The ad was never reported as seen. Fetch impression_tracking_url when you show it.",
  too_fast: "The click came less than half a second after the offer, too fast for a person.",
  prefetch: "A browser or mail program prefetched the link.",
  automated_agent: "A program followed the link, not a person.",
  not_a_navigation: "The address was loaded as an image, a frame or a script. Let a link open it, so that the person goes there.",
  campaign_ended: "The campaign was paused or had ended.",
  budget_exhausted: "The advertiser's budget was spent.",
  test_key: "The ad was requested with a test key.",
  house_ad: "House ads pay nothing.",
  account_inactive: "The account was suspended or closed.",
};

const noFillTexts: Readonly<Record<NoFillReason, string>> = {
  no_campaign: "No campaign matches this format, placement and category, and house ads are off.",
  not_scheduled: "The matching campaigns have not started or have ended.",
  trust_required: "The matching campaigns require a verified, trusted session. Send session_id.",
  bid_under_floor: "The matching campaigns bid below the minimum price per click.",
  budget_used_up: "The matching campaigns have no budget left.",
  offers_unclicked: "Too many of your ads of the matching campaigns are open and not clicked. Ask for an ad when you show it; open ones count less with time.",
  paced: "The matching campaigns spread their budget over the day and are ahead of schedule.",
  session_offer_limit: "This session has reached its limit of ads.",
  test_scenario: "A test scenario forced this answer.",
};

/** Unknown codes, from a newer server, are shown as they are. */
export const explainIgnored = (code: string): string => ignoreReasonTexts[code] ?? code;
export const explainNoFill = (code: string): string => noFillTexts[code as NoFillReason] ?? code;

export type Format = PlaygroundAdRequest["format"];
export type Placement = PlaygroundAdRequest["placement"];

// Listed here and checked against the contract's types. Importing the contract's values would bundle the schema library.
export const formatNames: Record<Format, string> = { banner: "Banner", native: "Native", interstitial: "Interstitial" };
export const placementNames: Record<Placement, string> = { feed: "Feed", sidebar: "Sidebar", fullscreen: "Full screen" };
export const formats = Object.keys(formatNames) as Format[];
export const placements = Object.keys(placementNames) as Placement[];
export const trustBandNames: Record<(typeof trustBands)[number], string> = {
  high: "High trust",
  medium: "Medium trust",
  low: "Low trust",
  unverified: "No session",
};
