import type { AccountStatus, Mode } from "../../store/schema.ts";
import type { IgnoreReason } from "../../store/schema-ads.ts";

/** Nobody reads an ad and clicks on it faster. Published: see docs/ads.md. */
export const tooFastMs = 500;
/** So far a click may be ahead of its impression: two requests of one page overtake each other. */
export const impressionWaitMs = 2_000;

/** Who followed the link, as far as the request itself tells. */
export type ClickAgent = "person" | "prefetch" | "automated_agent";

export type JudgedOffer = {
  mode: Mode;
  house: boolean;
  accountStatus: AccountStatus;
  atMs: number;
  expiresMs: number;
  /** Undefined: not seen, as far as is known. */
  impressedMs: number | undefined;
};

/** Paid, if the campaign runs and its budget allows: only the transaction that holds it can say. */
export type FirstVerdict = "payable" | "awaiting_impression" | IgnoreReason;

/** What becomes of an offer's first click by a person. */
export function judgeFirstClick(offer: JudgedOffer, atMs: number): FirstVerdict {
  if (offer.mode === "test") return "test_key";
  if (offer.house) return "house_ad";
  if (atMs >= offer.expiresMs) return "expired";
  if (offer.accountStatus !== "active") return "account_inactive";
  // Long before its offer was made nobody clicks: the clock was put back meanwhile, which is not the person's fault.
  if (Math.abs(atMs - offer.atMs) < tooFastMs) return "too_fast";
  return offer.impressedMs === undefined ? "awaiting_impression" : "payable";
}

/** Whether an impression came in time for a click that was ahead of it. */
export const isReconciled = (clickedMs: number, impressedMs: number | null): impressedMs is number =>
  impressedMs !== null && impressedMs - clickedMs <= impressionWaitMs;

export type CampaignState = {
  isActive: boolean;
  startsMs: number;
  endsMs: number | undefined;
  budgetMicroUsd: number;
  spentMicroUsd: number;
  dailyBudgetMicroUsd: number | undefined;
};

/** Whether the campaign pays this click, given what it has spent up to now, and on the click's day. */
export function judgePayment(
  campaign: CampaignState,
  click: { atMs: number; priceMicroUsd: number; spentOnDayMicroUsd: number },
): "paid" | "campaign_ended" | "budget_exhausted" {
  const { atMs, priceMicroUsd, spentOnDayMicroUsd } = click;
  const isRunning = campaign.isActive && atMs >= campaign.startsMs && (campaign.endsMs === undefined || atMs < campaign.endsMs);
  if (!isRunning) return "campaign_ended";
  if (campaign.spentMicroUsd + priceMicroUsd > campaign.budgetMicroUsd) return "budget_exhausted";
  const { dailyBudgetMicroUsd } = campaign;
  if (dailyBudgetMicroUsd !== undefined && spentOnDayMicroUsd + priceMicroUsd > dailyBudgetMicroUsd) return "budget_exhausted";
  return "paid";
}
