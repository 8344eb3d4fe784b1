import type { RecentAuctions } from "./auction-statistics.ts";
import type { LiveOffers } from "./live-offers.ts";
import { participation, targetAt } from "./pace.ts";
import type { AuctionCampaign } from "./snapshot.ts";
import type { TrafficCurve } from "./traffic-curve.ts";

/** Why a campaign does not serve, or not every time, in the order in which it is told. */
export type NotServingCode =
  | "draft"
  | "paused"
  | "ended"
  | "not_started"
  | "ended_by_date"
  | "no_approved_creative"
  | "bid_under_floor"
  | "budget_used_up"
  | "daily_budget_used_up"
  | "reserved_for_clicks"
  | "paced"
  | "no_matching_request"
  | "trust_required"
  | "paying_campaigns_first"
  | "outbid";

export type NotServingReason = { code: NotServingCode; message: string };

/** `creatives` are the approved ones; spend is that of now. */
export type ExplainedCampaign = AuctionCampaign & { status: "draft" | "active" | "paused" | "ended" };

export type ExplainContext = {
  nowMs: number;
  floorMicroUsd: number;
  curve: TrafficCurve;
  liveOffers: LiveOffers;
  recent: RecentAuctions;
};

const reason = (code: NotServingCode, message: string): NotServingReason => ({ code, message });
const usdText = (microUsd: number) => `${(microUsd / 1_000_000).toFixed(microUsd % 10_000 === 0 ? 2 : 6)} USD`;
const timeText = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const isAre = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

function explainState({ status, startsMs, endsMs, creatives }: ExplainedCampaign, nowMs: number): NotServingReason[] {
  const reasons: NotServingReason[] = [];
  if (status === "draft") reasons.push(reason("draft", "The campaign is a draft: make it active to serve it."));
  if (status === "paused") reasons.push(reason("paused", "The campaign is paused."));
  if (status === "ended") reasons.push(reason("ended", "The campaign was ended, which is for good."));
  if (nowMs < startsMs) reasons.push(reason("not_started", `The campaign starts at ${timeText(startsMs)}.`));
  if (endsMs !== undefined && nowMs >= endsMs) reasons.push(reason("ended_by_date", `The campaign's last day is over: it ended at ${timeText(endsMs)}.`));
  if (creatives.length === 0) reasons.push(reason("no_approved_creative", "No creative of the campaign is approved yet."));
  return reasons;
}

function explainMoney(campaign: ExplainedCampaign, context: ExplainContext): NotServingReason[] {
  const { nowMs, floorMicroUsd, curve } = context;
  const { bidMicroUsd, budgetMicroUsd, spentMicroUsd, dailyBudgetMicroUsd, spentTodayMicroUsd } = campaign;
  if (bidMicroUsd < floorMicroUsd) {
    return [reason("bid_under_floor", `The bid of ${usdText(bidMicroUsd)} is under the least price of a click, ${usdText(floorMicroUsd)}.`)];
  }
  const left = budgetMicroUsd - spentMicroUsd;
  if (left < floorMicroUsd) return [reason("budget_used_up", `${usdText(spentMicroUsd)} of the budget of ${usdText(budgetMicroUsd)} are spent, and the rest pays no click.`)];
  const leftToday = (dailyBudgetMicroUsd ?? Number.POSITIVE_INFINITY) - spentTodayMicroUsd;
  if (leftToday < floorMicroUsd) {
    const message = `Today's ${usdText(spentTodayMicroUsd)} of a daily budget of ${usdText(dailyBudgetMicroUsd ?? 0)} are spent; it goes on at midnight UTC.`;
    return [reason("daily_budget_used_up", message)];
  }
  const expected = context.liveOffers.of(campaign.id).expectedAt(nowMs);
  if (Math.min(left, leftToday) - expected.heldMicroUsd < floorMicroUsd) {
    const message = `What is left, ${usdText(Math.min(left, leftToday))}, is kept for the clicks that ads already shown may still bring; what they do not use is served again.`;
    return [reason("reserved_for_clicks", message)];
  }
  const target = campaign.pacing === "even" ? targetAt(campaign, { spentMicroUsd, spentTodayMicroUsd }, { nowMs, curve }) : undefined;
  const share = target ? participation(target, spentTodayMicroUsd + expected.microUsd) : 1;
  if (!target || share === 1) return [];
  const until = `${usdText(Math.round(target.byNowMicroUsd))} of today's ${usdText(Math.round(target.dayMicroUsd))} are due by now`;
  const pace = share === 0 ? "it waits until the day catches up" : `it takes part in ${Math.round(100 * share)}% of the auctions`;
  return [reason("paced", `The campaign is paced evenly and on its curve or ahead of it (${until}): ${pace}.`)];
}

function explainAuctions(campaign: ExplainedCampaign, { matched, trusted, won }: RecentAuctions): NotServingReason[] {
  if (won > 0) return [];
  if (matched === 0) return [reason("no_matching_request", "Within the last hour no request asked for its formats, placements and categories.")];
  if (trusted === 0) {
    const message = `${isAre(matched, "request", "requests")} matched within the last hour, none from a verified session with a trust of ${campaign.minTrust} or more.`;
    return [reason("trust_required", message)];
  }
  const had = `Of ${isAre(trusted, "request", "requests")} that it could have had within the last hour it got none`;
  if (campaign.house) return [reason("paying_campaigns_first", `${had}: paying campaigns go before house ads.`)];
  return [reason("outbid", `${had}: others' bids and click rates were higher. A higher bid, or a creative that more people click, would help.`)];
}

/**
 * Why a campaign is not serving, in codes and words. An empty list: it serves. What lies in its own settings is
 * told first, and what happened in auctions only when nothing of its own is in the way.
 */
export function explainServing(campaign: ExplainedCampaign, context: ExplainContext): NotServingReason[] {
  const own = [...explainState(campaign, context.nowMs), ...(campaign.house ? [] : explainMoney(campaign, context))];
  return own.length > 0 ? own : explainAuctions(campaign, context.recent);
}
