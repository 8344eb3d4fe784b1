import type { RecentAuctions } from "./auction-statistics.ts";
import type { LiveOffers } from "./live-offers.ts";
import { participation, targetAt } from "./pace.ts";
import type { AuctionCampaign } from "./snapshot.ts";
import type { TrafficCurve } from "./traffic-curve.ts";

/** Why a campaign does not serve, or not every time, in the order of the answer. */
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

/** With approved creatives only, and the current spend. */
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
const requestsText = (count: number) => `${count} ${count === 1 ? "request" : "requests"}`;

function explainState({ status, startsMs, endsMs, creatives }: ExplainedCampaign, nowMs: number): NotServingReason[] {
  const reasons: NotServingReason[] = [];
  if (status === "draft") reasons.push(reason("draft", "The campaign is a draft: activate it to serve it."));
  if (status === "paused") reasons.push(reason("paused", "The campaign is paused."));
  if (status === "ended") reasons.push(reason("ended", "The campaign has ended and cannot be reactivated."));
  if (nowMs < startsMs) reasons.push(reason("not_started", `The campaign starts at ${timeText(startsMs)}.`));
  if (endsMs !== undefined && nowMs >= endsMs) reasons.push(reason("ended_by_date", `The campaign's end date has passed: it ended at ${timeText(endsMs)}.`));
  if (creatives.length === 0) reasons.push(reason("no_approved_creative", "No creative of the campaign is approved yet."));
  return reasons;
}

function explainMoney(campaign: ExplainedCampaign, context: ExplainContext): NotServingReason[] {
  const { nowMs, floorMicroUsd, curve } = context;
  const { bidMicroUsd, budgetMicroUsd, spentMicroUsd, dailyBudgetMicroUsd, spentTodayMicroUsd } = campaign;
  if (bidMicroUsd < floorMicroUsd) {
    return [reason("bid_under_floor", `The bid of ${usdText(bidMicroUsd)} is below the minimum price of a click, ${usdText(floorMicroUsd)}.`)];
  }
  const left = budgetMicroUsd - spentMicroUsd;
  if (left < floorMicroUsd) return [reason("budget_used_up", `${usdText(spentMicroUsd)} of the budget of ${usdText(budgetMicroUsd)} is spent; the rest is below the price of a click.`)];
  const leftToday = (dailyBudgetMicroUsd ?? Number.POSITIVE_INFINITY) - spentTodayMicroUsd;
  if (leftToday < floorMicroUsd) {
    const message = `${usdText(spentTodayMicroUsd)} of the daily budget of ${usdText(dailyBudgetMicroUsd ?? 0)} is spent; serving resumes at midnight UTC.`;
    return [reason("daily_budget_used_up", message)];
  }
  const expected = context.liveOffers.of(campaign.id).expectedAt(nowMs);
  if (Math.min(left, leftToday) - expected.reservedMicroUsd < floorMicroUsd) {
    const message = `The remaining ${usdText(Math.min(left, leftToday))} is reserved for clicks on outstanding offers; what they do not use becomes available again.`;
    return [reason("reserved_for_clicks", message)];
  }
  const target = campaign.pacing === "even" ? targetAt(campaign, { spentMicroUsd, spentTodayMicroUsd }, { nowMs, curve }) : undefined;
  const share = target ? participation(target, spentTodayMicroUsd + expected.microUsd) : 1;
  if (!target || share === 1) return [];
  const until = `${usdText(Math.round(target.byNowMicroUsd))} of today's ${usdText(Math.round(target.dayMicroUsd))} is due by now`;
  const pace = share === 0 ? "it waits until the target catches up" : `it takes part in ${Math.round(100 * share)}% of the auctions`;
  return [reason("paced", `The campaign is paced evenly and its spend is at or ahead of the target (${until}): ${pace}.`)];
}

function sessionsText({ minTrust, attestedOnly }: ExplainedCampaign): string {
  const session = attestedOnly ? "an attested session" : "a verified session";
  return minTrust > 0 ? `${session} with a trust score of ${minTrust} or more` : session;
}

function explainAuctions(campaign: ExplainedCampaign, { matched, trusted, won }: RecentAuctions): NotServingReason[] {
  if (won > 0) return [];
  if (matched === 0) return [reason("no_matching_request", "No request within the last hour matched its formats, placements and categories.")];
  if (trusted === 0) {
    const message = `${requestsText(matched)} matched within the last hour, none from ${sessionsText(campaign)}.`;
    return [reason("trust_required", campaign.attestedOnly ? `${message} The campaign asks for attested sessions.` : message)];
  }
  const had = `It won none of the ${requestsText(trusted)} that it was eligible for within the last hour`;
  if (campaign.house) return [reason("paying_campaigns_first", `${had}: paying campaigns take precedence over house ads.`)];
  return [reason("outbid", `${had}: other campaigns had higher bids and click rates. Raise the bid, or add a creative with a higher click rate.`)];
}

/** Why a campaign is not serving; empty if it serves. Auction results count only when its own settings allow it to serve. */
export function explainServing(campaign: ExplainedCampaign, context: ExplainContext): NotServingReason[] {
  const own = [...explainState(campaign, context.nowMs), ...(campaign.house ? [] : explainMoney(campaign, context))];
  return own.length > 0 ? own : explainAuctions(campaign, context.recent);
}
