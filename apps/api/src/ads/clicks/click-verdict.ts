import type { IgnoreReason } from "../../store/schema-ads.ts";
import type { AccountStatus, Mode } from "../../store/schema.ts";

/** A person cannot read an ad and click it faster. Published in docs/ads.md. */
export const tooFastMs = 500;
/** How far a click may be ahead of its impression: requests of one page can overtake each other. */
export const impressionWaitMs = 2_000;

/** Who followed the link, judged by the request headers. */
export type ClickAgent = "person" | "prefetch" | "automated_agent" | "not_a_navigation";

export type JudgedOffer = {
  mode: Mode;
  house: boolean;
  accountStatus: AccountStatus;
  atMs: number;
  expiresMs: number;
  /** Undefined: no impression so far. */
  impressedMs: number | undefined;
};

/** `payable`: paid if the campaign is running and has budget, which only the transaction that locks it can decide. */
export type FirstVerdict = "payable" | "awaiting_impression" | IgnoreReason;

/** The verdict on an offer's first click by a person. */
export function judgeFirstClick(offer: JudgedOffer, atMs: number): FirstVerdict {
  if (offer.mode === "test") return "test_key";
  if (offer.house) return "house_ad";
  if (atMs >= offer.expiresMs) return "expired";
  if (offer.accountStatus !== "active") return "account_inactive";
  // A click long before its offer means that the clock was set back meanwhile, which is not the visitor's fault.
  if (Math.abs(atMs - offer.atMs) < tooFastMs) return "too_fast";
  return offer.impressedMs === undefined ? "awaiting_impression" : "payable";
}

/** Whether the impression of a click that was ahead of it came within the wait. */
export const isImpressionInTime = (clickedMs: number, impressedMs: number | null): impressedMs is number =>
  impressedMs !== null && impressedMs - clickedMs <= impressionWaitMs;

export type CampaignState = {
  isActive: boolean;
  startsMs: number;
  endsMs: number | undefined;
  budgetMicroUsd: number;
  spentMicroUsd: number;
  dailyBudgetMicroUsd: number | undefined;
};

/** Whether the campaign pays this click, given its spend in total and on the click's day. */
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
