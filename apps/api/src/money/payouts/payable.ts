/** What may be paid out, and why not more. Pure rules, as docs/money.md describes them. */
import { isoTime, msPerDay } from "../../formats/time.ts";

/** A month's earnings are payable from the 15th after its end. */
const daysUntilPayable = 14;

export const payableFromMs = (monthEndMs: number): number => monthEndMs + daysUntilPayable * msPerDay;

export type Month = { name: string; endMs: number };

/** The latest month whose earnings are payable at `nowMs`. */
export function lastPayableMonth(nowMs: number): Month {
  const at = new Date(nowMs - daysUntilPayable * msPerDay);
  const endMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  return { name: isoTime(endMs - 1).slice(0, "YYYY-MM".length), endMs };
}

export type AccountSums = {
  /** The balance at the month's end. */
  balanceAtEndMicroUsd: number;
  /** Outflow since: payouts and their returns, reversals, and negative adjustments. Positive only through returns. */
  outSinceMicroUsd: number;
  balanceNowMicroUsd: number;
  /** Clicks that may still be reversed: from before the month's end, and all. */
  pendingBeforeEndMicroUsd: number;
  pendingMicroUsd: number;
};

export type PayabilityFacts = {
  /** A closed account is still paid; a suspended one waits. */
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
  demo_account: "Demo accounts are never paid.",
  account_suspended: "The account is suspended.",
  open_payout: "Another payout of this account is in progress.",
  finding_open: "A finding about its traffic is open: an operator has to decide it first.",
  payee_profile_missing: "The payee profile is not complete.",
  nothing_payable: "Nothing earned in closed months is left.",
  below_minimum: "The amount is below the minimum; it carries over to the next month.",
  not_funded: "The platform's funding does not cover it; it carries over.",
};

export type Payability = { kind: "payable"; amountMicroUsd: number } | { kind: "held"; reason: NotPayableReason; amountMicroUsd: number };

/** Earned in closed months and no longer reversible, and never more than the available balance. */
export function payableMicroUsdOf(sums: AccountSums): number {
  const earned = sums.balanceAtEndMicroUsd + sums.outSinceMicroUsd - sums.pendingBeforeEndMicroUsd;
  const available = sums.balanceNowMicroUsd - sums.pendingMicroUsd;
  return Math.max(0, Math.min(earned, available));
}

/** Returns the first reason to hold a payout back. The caller checks funding, over all accounts together. */
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
