import { Failure } from "../../failure/failure.ts";
import { usdOf } from "../../formats/money.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { type Reader, readerOf, type Store } from "../../store/store.ts";
import { sumAllCalls, sumAllMovements, sumPendingClicks } from "../ledger/platform-sums.table.ts";
import type { Funding, FundingOutcome } from "./fund.work.ts";
import { sumPayoutsByStatus } from "./payouts.table.ts";

const fundModule = new URL("./fund.work.ts", import.meta.url);
const fundingMicroUsdMax = 1_000_000_000_000_000;
/** For all funding together: half of the largest exact sum, so that earnings fit beside it. */
const fundingTotalMicroUsdMax = 4_000_000_000_000_000;
const nothing = { gross_micro: 0, developer_micro: 0, platform_micro: 0 };

/** Books the operator's own money. */
export async function fundPlatform(
  store: Store,
  funding: Omit<Funding, "ref" | "totalMicroUsdMax">,
): Promise<{ ref: string; receipt: string }> {
  const { microUsd, nowMs } = funding;
  if (!Number.isSafeInteger(microUsd) || microUsd <= 0 || microUsd > fundingMicroUsdMax) {
    throw new Failure("invalid_request", "the amount must be more than 0 USD and have at most six decimals");
  }
  const ref = timeOrderedId("fund", nowMs);
  const outcome = await store.transact<Funding, FundingOutcome>(fundModule, { ...funding, ref, totalMicroUsdMax: fundingTotalMicroUsdMax });
  if (outcome.kind === "too_much") {
    throw new Failure("invalid_request", `total funding may be at most ${usdOf(fundingTotalMicroUsdMax)} USD, and ${usdOf(outcome.bookedMicroUsd)} USD are already booked`);
  }
  return { ref, receipt: outcome.receipt };
}

/** The installation's money. Every figure is a sum of ledger entries, except pending clicks and open payouts. */
export const readPlatformMoney = (store: Store) => readPlatformMoneyIn(readerOf(store));

export async function readPlatformMoneyIn({ db, run }: Reader) {
  const movements = await run(sumAllMovements(db, undefined));
  const calls = await run(sumAllCalls(db, undefined));
  const payouts = await run(sumPayoutsByStatus(db));
  const pending = (await run(sumPendingClicks(db)))[0]!;
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
    /** The operator's own money. */
    fundingMicroUsd,
    /** What advertisers owe or paid for valid clicks, less reversals; and the part that may still be reversed. */
    advertiserMicroUsd,
    advertiserPendingMicroUsd: pending.price_micro,
    /** What developers were charged for calls, if they pay. */
    chargedMicroUsd,
    /** What developers earned in total: calls, clicks, adjustments; and the clicks that may still be reversed. */
    earnedMicroUsd,
    pendingMicroUsd: pending.developer_micro,
    /** Payouts in progress, and paid. */
    underWayMicroUsd,
    paidMicroUsd,
    /** The platform's share of calls that developers paid, and of clicks. */
    marginMicroUsd: callsOf("developer").platform_micro + of("click").platform_micro + of("reversal").platform_micro,
    /** Not committed to a payout: it can cover new ones. */
    availableMicroUsd: fundingMicroUsd + advertiserMicroUsd - pending.price_micro + chargedMicroUsd - paidMicroUsd - underWayMicroUsd,
  };
}
