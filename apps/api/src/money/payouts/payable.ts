/** What may be paid out, and why not more. Pure: the sums come from rollups, and the rules are money.md's. */
import { msPerDay } from "../../formats/time.ts";

/** What a month earned may be paid from the 15th after its end. */
const daysUntilPayable = 14;

export const payableFromMs = (monthEndMs: number): number => monthEndMs + daysUntilPayable * msPerDay;

export type Month = { name: string; endMs: number };

const monthName = (ms: number) => new Date(ms).toISOString().slice(0, 7);

/** The latest month whose earnings may be paid out at `nowMs`: it ended, and the 15th after its end has come. */
export function lastPayableMonth(nowMs: number): Month {
  const at = new Date(nowMs - daysUntilPayable * msPerDay);
  const endMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  return { name: monthName(endMs - 1), endMs };
}

export type AccountSums = {
  /** What the chain's entries up to the month's end add up to. */
  balanceAtEndMicroUsd: number;
  /** What left since: payouts (and what came back of them), reversals, and adjustments that take. Not above 0 but for returns. */
  outSinceMicroUsd: number;
  balanceNowMicroUsd: number;
  /** Clicks that may still be reversed: those from before the month's end, and all. */
  pendingBeforeEndMicroUsd: number;
  pendingMicroUsd: number;
};

export type PayabilityFacts = {
  /** A closing account is paid what is left; a suspended one waits. */
  isSuspended: boolean;
  isDemo: boolean;
  hasPayee: boolean;
  hasOpenFinding: boolean;
  hasOpenPayout: boolean;
  minimumMicroUsd: number;
};

export type NotPayableReason =
  | "demo_account"
  | "account_suspended"
  | "open_payout"
  | "finding_open"
  | "payee_profile_missing"
  | "nothing_payable"
  | "below_minimum"
  | "not_funded";

export const notPayableTexts: Record<NotPayableReason, string> = {
  demo_account: "It is a demo account, and those are never paid.",
  account_suspended: "The account is suspended.",
  open_payout: "Another payout of this account is under way.",
  finding_open: "A finding about its traffic is open: an operator has to decide it first.",
  payee_profile_missing: "The payee profile is not complete.",
  nothing_payable: "Nothing that was earned in closed months is left.",
  below_minimum: "The sum is below the minimum; it carries over to the next month.",
  not_funded: "The platform's funding does not cover it; it carries over.",
};

export type Payability = { kind: "payable"; amountMicroUsd: number } | { kind: "held"; reason: NotPayableReason; amountMicroUsd: number };

/** Earned in closed months and no longer reversible, and never more than is there now. */
export function payableMicroUsdOf(sums: AccountSums): number {
  const earned = sums.balanceAtEndMicroUsd + sums.outSinceMicroUsd - sums.pendingBeforeEndMicroUsd;
  const there = sums.balanceNowMicroUsd - sums.pendingMicroUsd;
  return Math.max(0, Math.min(earned, there));
}

/** The first reason that holds it back. Funding is looked at by the caller, over all accounts together. */
export function judgePayability(sums: AccountSums, facts: PayabilityFacts): Payability {
  const amountMicroUsd = payableMicroUsdOf(sums);
  const held = (reason: NotPayableReason): Payability => ({ kind: "held", reason, amountMicroUsd });
  if (facts.isDemo) return held("demo_account");
  if (amountMicroUsd === 0) return held("nothing_payable");
  if (facts.isSuspended) return held("account_suspended");
  if (facts.hasOpenPayout) return held("open_payout");
  if (facts.hasOpenFinding) return held("finding_open");
  if (amountMicroUsd < facts.minimumMicroUsd) return held("below_minimum");
  if (!facts.hasPayee) return held("payee_profile_missing");
  return { kind: "payable", amountMicroUsd };
}
