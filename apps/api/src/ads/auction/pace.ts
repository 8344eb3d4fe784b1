import { msPerDay } from "../../formats/time.ts";
import { dayOf, type TrafficCurve, trafficDaysAt } from "./traffic-curve.ts";

export type PacedCampaign = {
  budgetMicroUsd: number;
  dailyBudgetMicroUsd: number | undefined;
  startsMs: number;
  endsMs: number | undefined;
  activeSinceMs?: number | undefined;
};
export type Spend = { spentMicroUsd: number; spentTodayMicroUsd: number };

/** Participation falls from 1 to 0 within this share of the day's target, around the curve. */
const bandShare = 0.02;

/**
 * An evenly paced campaign's target spend by now, and for the whole day. Undefined without a daily budget or an end
 * to spread the budget over: such a campaign is not paced.
 *
 * The day's target is the daily budget. Without one it is a share of what was left at midnight: today's expected
 * traffic out of all traffic expected until the end. Within the day the target follows the traffic curve, from the
 * moment the campaign could serve.
 */
export function targetAt(
  campaign: PacedCampaign,
  spend: Spend,
  context: { nowMs: number; curve: TrafficCurve },
): { byNowMicroUsd: number; dayMicroUsd: number } | undefined {
  const { nowMs, curve } = context;
  const dayStartMs = dayOf(nowMs) * msPerDay;
  const fromMs = Math.max(dayStartMs, campaign.startsMs, campaign.activeSinceMs ?? 0);
  const untilMs = Math.min(dayStartMs + msPerDay, campaign.endsMs ?? Number.POSITIVE_INFINITY);
  const from = trafficDaysAt(curve, fromMs);
  const today = trafficDaysAt(curve, untilMs) - from;
  if (today <= 0) return undefined;
  const leftThisMorning = campaign.budgetMicroUsd - (spend.spentMicroUsd - spend.spentTodayMicroUsd);
  let dayMicroUsd: number;
  if (campaign.dailyBudgetMicroUsd !== undefined) dayMicroUsd = Math.min(campaign.dailyBudgetMicroUsd, leftThisMorning);
  else if (campaign.endsMs === undefined) return undefined;
  else dayMicroUsd = leftThisMorning * (today / (trafficDaysAt(curve, campaign.endsMs) - from));
  const gone = Math.min(1, Math.max(0, (trafficDaysAt(curve, nowMs) - from) / today));
  return { byNowMicroUsd: dayMicroUsd * gone, dayMicroUsd };
}

/**
 * The probability of taking part in an auction: 1 well behind the curve, 0 well ahead, linear in between. The
 * expected cost of live offers counts as spent. Each offer lowers the probability a little, so the spend follows
 * the curve without oscillating.
 */
export function participation(
  target: { byNowMicroUsd: number; dayMicroUsd: number },
  committedMicroUsd: number,
): number {
  const band = bandShare * target.dayMicroUsd;
  if (band <= 0) return 0;
  return Math.min(1, Math.max(0, 0.5 + (target.byNowMicroUsd - committedMicroUsd) / band));
}
