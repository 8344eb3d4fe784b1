/** What is shared out among accounts in the order of their months: the money in hand, and what never reviewed accounts may be paid together. */
import { coverNext, findMoneyStates, type FundingLeft, type MoneyStates } from "./money-states.ts";
import type { AccountMoney } from "./read-account-money.ts";

/** `unreviewedMicroUsd`: what calls of never reviewed accounts may still be paid for this month; infinite where that is not bounded. */
export type Shares = { funding: FundingLeft; unreviewedMicroUsd: number };

export type Share = {
  states: MoneyStates;
  /** The part of what is payable that calls of a never reviewed account earned. */
  unreviewedMicroUsd: number;
  /** What waits because all such accounts together have reached their bound. */
  beyondTotalMicroUsd: number;
  left: Shares;
};

/** What one account can be promised of what those before it left, and what it leaves. */
export function shareOut(shares: Shares, { sums, facts, growth, unreviewedPromisedMicroUsd, oldestMonth }: AccountMoney): Share {
  const grantedLeftMicroUsd = growth.isReviewed ? 0 : Math.max(0, growth.grantedMicroUsd - unreviewedPromisedMicroUsd);
  const partOf = ({ payableMicroUsd }: MoneyStates): number => Math.min(payableMicroUsd, grantedLeftMicroUsd);
  const alone = findMoneyStates(sums, facts);
  const beyondTotalMicroUsd = Math.max(0, partOf(alone) - shares.unreviewedMicroUsd);
  const bounded = { ...sums, beyondGrowthMicroUsd: sums.beyondGrowthMicroUsd + beyondTotalMicroUsd };
  const states = findMoneyStates(bounded, facts);
  if (states.payableMicroUsd === 0) return { states, unreviewedMicroUsd: 0, beyondTotalMicroUsd, left: shares };
  const { isCovered, ...funding } = coverNext(shares.funding, { month: oldestMonth, microUsd: states.payableMicroUsd });
  if (!isCovered) {
    return { states: findMoneyStates(bounded, { ...facts, isFunded: false }), unreviewedMicroUsd: 0, beyondTotalMicroUsd, left: { ...shares, funding } };
  }
  const unreviewedMicroUsd = partOf(alone) - beyondTotalMicroUsd;
  return { states, unreviewedMicroUsd, beyondTotalMicroUsd, left: { funding, unreviewedMicroUsd: shares.unreviewedMicroUsd - unreviewedMicroUsd } };
}
