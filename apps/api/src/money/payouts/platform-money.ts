import { Failure } from "../../failure/failure.ts";
import { usdOf } from "../../formats/money.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { sumAllCalls, sumAllMovements, sumPendingClicks } from "../ledger/platform-sums.table.ts";
import type { Funding, FundingOutcome } from "./fund.work.ts";
import { sumPayoutsByStatus } from "./payouts.table.ts";

const fundModule = new URL("./fund.work.ts", import.meta.url);
const fundingMicroMax = 1_000_000_000_000_000;
/** Of all funding together: half of what a sum may come to and still be exact, so that whatever is earned fits beside it. */
const fundingTotalMicroMax = 4_000_000_000_000_000;
const nothing = { gross_micro: 0, developer_micro: 0, platform_micro: 0 };

/** Books money that the operator put in. */
export async function fundPlatform(
  store: Store,
  order: Omit<Funding, "ref" | "totalMicroMax">,
): Promise<{ ref: string; receipt: string }> {
  const { microUsd, nowMs } = order;
  if (!Number.isSafeInteger(microUsd) || microUsd <= 0 || microUsd > fundingMicroMax) {
    throw new Failure("invalid_request", "the amount must be more than 0 USD and have at most six decimals");
  }
  const ref = timeOrderedId("fund", nowMs);
  const outcome = await store.transact<Funding, FundingOutcome>(fundModule, { ...order, ref, totalMicroMax: fundingTotalMicroMax });
  if (outcome.kind === "too_much") {
    throw new Failure("invalid_request", `funding may add up to ${usdOf(fundingTotalMicroMax)} USD at most, and ${usdOf(outcome.bookedMicroUsd)} USD are booked already`);
  }
  return { ref, receipt: outcome.receipt };
}

/** The installation's money in one view; every figure is a sum of ledger entries, but for what has not moved yet. */
export type PlatformMoney = {
  /** What the operator put in. */
  fundingMicroUsd: number;
  /** What advertisers owe or paid for valid clicks, reversals taken off; of it, what may still be reversed. */
  advertiserMicroUsd: number;
  advertiserPendingMicroUsd: number;
  /** What developers were charged for calls, where they pay. */
  chargedMicroUsd: number;
  /** What developers earned, over all time: calls, clicks, adjustments. */
  earnedMicroUsd: number;
  /** Of it: clicks that may still be reversed. */
  pendingMicroUsd: number;
  /** Left for payouts that are under way, and paid. */
  underWayMicroUsd: number;
  paidMicroUsd: number;
  /** What the platform kept of calls that somebody else paid, and of clicks. */
  marginMicroUsd: number;
  /** In hand and promised to nobody: what new payouts may be covered with. */
  availableMicroUsd: number;
};

export async function readPlatformMoney(store: Store): Promise<PlatformMoney> {
  const [movements, calls, payouts, pending] = await Promise.all([
    sumAllMovements(store.db, undefined).execute(),
    sumAllCalls(store.db, undefined).execute(),
    sumPayoutsByStatus(store.db).execute(),
    sumPendingClicks(store.db).executeTakeFirstOrThrow(),
  ]);
  const of = (kind: string) => movements.find((row) => row.kind === kind) ?? nothing;
  const callsOf = (payer: string) => calls.find((row) => row.payer === payer) ?? nothing;
  const fundingMicroUsd = of("funding").gross_micro;
  const advertiserMicroUsd = of("click").gross_micro + of("reversal").gross_micro;
  const chargedMicroUsd = callsOf("developer").gross_micro;
  const paidMicroUsd = -(of("payout").gross_micro + of("payout_returned").gross_micro);
  const underWay = new Set(["proposed", "approved", "exported"]);
  const underWayMicroUsd = payouts.filter((row) => underWay.has(row.status)).reduce((sum, row) => sum + row.amount_micro, 0);
  const earnedMicroUsd =
    callsOf("platform").developer_micro +
    callsOf("developer").developer_micro +
    of("click").developer_micro +
    of("reversal").developer_micro +
    of("adjustment").developer_micro;
  return {
    fundingMicroUsd,
    advertiserMicroUsd,
    advertiserPendingMicroUsd: pending.price_micro,
    chargedMicroUsd,
    earnedMicroUsd,
    pendingMicroUsd: pending.developer_micro,
    underWayMicroUsd,
    paidMicroUsd,
    marginMicroUsd: callsOf("developer").platform_micro + of("click").platform_micro + of("reversal").platform_micro,
    availableMicroUsd: fundingMicroUsd + advertiserMicroUsd - pending.price_micro + chargedMicroUsd - paidMicroUsd - underWayMicroUsd,
  };
}
