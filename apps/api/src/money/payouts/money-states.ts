/** The states of an account's money and what keeps it from being paid. Pure rules, as docs/money.md describes them. */
import type { waitReasons } from "@assay/contract/balance.ts";
import type { WaitingReason } from "../../store/schema-integrity.ts";
import { nextPayableMs } from "../payable-months.ts";

export type WaitReason = (typeof waitReasons)[number];

export const waitReasonTexts: Record<WaitReason, string> = {
  not_yet_due: "A month's earnings become payable on the 15th of the next month.",
  below_minimum: "The amount is below the minimum; it carries over until it reaches it.",
  payee_missing: "The payee profile is not complete.",
  payee_changed: "The payee's bank account, method or tax number was changed: it rests before it is paid to.",
  linked_account: "An account that named the same bank account or tax number earlier is on hold or has an open finding.",
  growth_review: "Calls and clicks earned more than may be paid out before an operator reviews the account. Later months with less pay a part of it.",
  finding_open: "A finding about the account's traffic is open: an operator has to decide it first.",
  held: "An operator has put the account's money on hold.",
  not_funded: "The platform's money in hand does not cover it yet: older months are paid first.",
  repeated_session: "One and the same session was sent far more often than people repeat themselves. It waits for your statement and an operator's decision.",
  unexamined: "Calls that left nothing to examine: most analyses, and calls whose record is missing. They wait for your statement and an operator's decision.",
  crowded_network: "Many clicks of one day came from one network. They wait for your statement and an operator's decision.",
};

export type AccountSums = {
  balanceMicroUsd: number;
  /** The part of the balance that is an unspent deposit. It is never paid out. */
  depositsMicroUsd: number;
  /** Calls and clicks that may still be reversed. */
  pendingMicroUsd: number;
  /** What months that are payable by now left, without what is pending, less payouts, reversals and corrections since. */
  dueMicroUsd: number;
  /** What cannot be examined, of calls in settled days and of clicks: neither pending nor due. */
  unexaminedMicroUsd: readonly { reason: WaitingReason; microUsd: number }[];
  /** The part of what is due that was earned beyond what the account's growth allows. */
  beyondGrowthMicroUsd: number;
  /** In payouts that are proposed, approved or exported. */
  inPayoutMicroUsd: number;
  /** Paid out, less what came back. */
  paidMicroUsd: number;
};

export type PayFacts = {
  hasHold: boolean;
  hasFinding: boolean;
  /** Whether an account that it is linked to has an open hold or finding. */
  isLinkedToHeld: boolean;
  hasPayee: boolean;
  /** When the payee may be paid to; 0: at once. */
  payeeUsableFromMs: number;
  /** 0 for an account that is closing: closing waives the minimum and nothing else. */
  minimumMicroUsd: number;
  /** Whether the money in hand covers this account, after those with older months. */
  isFunded: boolean;
  nowMs: number;
};

/**
 * accrued = pending + confirmed, and confirmed = waiting + payable + in payout + paid. The balance is what is accrued
 * and not paid, plus unspent deposits, less what is owed.
 */
export type MoneyStates = {
  accruedMicroUsd: number;
  pendingMicroUsd: number;
  confirmedMicroUsd: number;
  waiting: { reason: WaitReason; microUsd: number }[];
  payableMicroUsd: number;
  inPayoutMicroUsd: number;
  paidMicroUsd: number;
  /** Paid, promised or charged beyond what was earned: set off against later earnings. */
  owedMicroUsd: number;
  nextMs: number;
};

const addUp = (parts: readonly { microUsd: number }[]): number => parts.reduce((sum, { microUsd }) => sum + microUsd, 0);

/** What may be paid out at most: confirmed, of payable months, and never more than what is left of the balance. */
export const payableUpToMicroUsd = (sums: AccountSums): number =>
  Math.max(0, Math.min(sums.dueMicroUsd, sums.balanceMicroUsd - sums.depositsMicroUsd - sums.pendingMicroUsd - addUp(sums.unexaminedMicroUsd)));

/** Of what cannot be examined, what is left of the balance, reason by reason. */
function shareUnexamined(unexamined: AccountSums["unexaminedMicroUsd"], openMicroUsd: number): MoneyStates["waiting"] {
  const waiting: MoneyStates["waiting"] = [];
  let leftMicroUsd = openMicroUsd;
  for (const { reason, microUsd } of unexamined) {
    const waitsMicroUsd = Math.min(leftMicroUsd, microUsd);
    if (waitsMicroUsd > 0) waiting.push({ reason, microUsd: waitsMicroUsd });
    leftMicroUsd -= waitsMicroUsd;
  }
  return waiting;
}

/** The first reason why money that is due is not paid, from the gravest on. */
export function findWaitReason(facts: PayFacts, dueMicroUsd: number): WaitReason | undefined {
  if (facts.hasHold) return "held";
  if (facts.hasFinding) return "finding_open";
  if (facts.isLinkedToHeld) return "linked_account";
  if (dueMicroUsd < facts.minimumMicroUsd) return "below_minimum";
  if (!facts.hasPayee) return "payee_missing";
  if (facts.payeeUsableFromMs > facts.nowMs) return "payee_changed";
  if (!facts.isFunded) return "not_funded";
  return undefined;
}

export function findMoneyStates(sums: AccountSums, facts: PayFacts): MoneyStates {
  const { balanceMicroUsd, depositsMicroUsd, pendingMicroUsd, inPayoutMicroUsd, paidMicroUsd } = sums;
  const leftMicroUsd = balanceMicroUsd - depositsMicroUsd - pendingMicroUsd - inPayoutMicroUsd;
  const openMicroUsd = Math.max(0, leftMicroUsd);
  const dueMicroUsd = Math.min(openMicroUsd, Math.max(0, payableUpToMicroUsd(sums) - inPayoutMicroUsd));
  // A hold or finding is the reason of everything that is due; any other reason only of what growth allows.
  const isBlocked = facts.hasHold || facts.hasFinding || facts.isLinkedToHeld;
  const beyondGrowthMicroUsd = isBlocked ? 0 : Math.min(dueMicroUsd, sums.beyondGrowthMicroUsd);
  const allowedMicroUsd = dueMicroUsd - beyondGrowthMicroUsd;
  const reason = allowedMicroUsd === 0 ? undefined : findWaitReason(facts, allowedMicroUsd);
  const waiting: MoneyStates["waiting"] = [];
  if (reason !== undefined) waiting.push({ reason, microUsd: allowedMicroUsd });
  if (beyondGrowthMicroUsd > 0) waiting.push({ reason: "growth_review", microUsd: beyondGrowthMicroUsd });
  const unexamined = shareUnexamined(sums.unexaminedMicroUsd, openMicroUsd - dueMicroUsd);
  waiting.push(...unexamined);
  const notYetDueMicroUsd = openMicroUsd - dueMicroUsd - addUp(unexamined);
  if (notYetDueMicroUsd > 0) waiting.push({ reason: "not_yet_due", microUsd: notYetDueMicroUsd });
  const confirmedMicroUsd = openMicroUsd + inPayoutMicroUsd + paidMicroUsd;
  const nextMs = nextPayableMs(facts.nowMs);
  return {
    accruedMicroUsd: pendingMicroUsd + confirmedMicroUsd,
    pendingMicroUsd,
    confirmedMicroUsd,
    waiting,
    payableMicroUsd: reason === undefined ? allowedMicroUsd : 0,
    inPayoutMicroUsd,
    paidMicroUsd,
    owedMicroUsd: Math.max(0, -leftMicroUsd),
    nextMs: reason === "payee_changed" ? Math.min(nextMs, facts.payeeUsableFromMs) : nextMs,
  };
}

/** What funding covers so far: how much is left, and the oldest month of which something is not covered. */
export type FundingLeft = { leftMicroUsd: number; uncoveredMonth: string | null };

/**
 * Whether the money in hand covers an amount whose oldest earnings are of `month`, and what is left then. Call it in
 * the order of months: what is not covered keeps every newer month waiting, so that newer ones never overtake it.
 */
export function coverNext(funding: FundingLeft, { month, microUsd }: { month: string; microUsd: number }): FundingLeft & { isCovered: boolean } {
  const { leftMicroUsd, uncoveredMonth } = funding;
  const isCovered = microUsd <= leftMicroUsd && (uncoveredMonth === null || month <= uncoveredMonth);
  if (isCovered) return { isCovered, leftMicroUsd: leftMicroUsd - microUsd, uncoveredMonth };
  return { isCovered, leftMicroUsd, uncoveredMonth: uncoveredMonth === null || month < uncoveredMonth ? month : uncoveredMonth };
}
