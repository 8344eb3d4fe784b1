import { Failure } from "../../failure/failure.ts";
import { usdOf } from "../../formats/money.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { MovementHourRow } from "../../store/schema-dashboard.ts";
import type { Payer } from "../../store/schema.ts";
import { type Reader, readerOf, type Store } from "../../store/store.ts";
import { sumRefunds } from "../corrections/corrections.table.ts";
import { sumPendingCalls } from "../days/days.table.ts";
import { addUpMovements, clickPayers } from "../ledger/add-up-movements.ts";
import { sumAllCalls, sumAllMovements, sumPendingClicks } from "../ledger/platform-sums.table.ts";
import { type Pool, realMoney } from "../ledger/pools.ts";
import type { Funding, FundingOutcome } from "./fund.work.ts";
import { sumPayoutsByStatus } from "./payouts.table.ts";

const fundModule = new URL("./fund.work.ts", import.meta.url);
const fundingMicroUsdMax = 1_000_000_000_000_000;
/** For all funding together: half of the largest exact sum, so that earnings fit beside it. */
const fundingTotalMicroUsdMax = 4_000_000_000_000_000;
const nothing = { gross_micro: 0, developer_micro: 0, platform_micro: 0 };

/** Books the operator's own money, or money for demo accounts. */
export async function fundPlatform(
  store: Store,
  funding: Omit<Funding, "ref" | "totalMicroUsdMax" | "pool">,
  pool: Pool = realMoney,
): Promise<{ ref: string; receipt: string }> {
  const { microUsd, nowMs } = funding;
  if (!Number.isSafeInteger(microUsd) || microUsd <= 0 || microUsd > fundingMicroUsdMax) {
    throw new Failure("invalid_request", "the amount must be more than 0 USD and have at most six decimals");
  }
  const ref = timeOrderedId("fund", nowMs);
  const outcome = await store.transact<Funding, FundingOutcome>(fundModule, { ...funding, pool, ref, totalMicroUsdMax: fundingTotalMicroUsdMax });
  if (outcome.kind === "too_much") {
    throw new Failure("invalid_request", `total funding may be at most ${usdOf(fundingTotalMicroUsdMax)} USD, and ${usdOf(outcome.bookedMicroUsd)} USD are already booked`);
  }
  return { ref, receipt: outcome.receipt };
}

/** The installation's money, or that of its demo accounts. Every figure is a sum of ledger entries, except what is pending and open payouts. */
export const readPlatformMoney = (store: Store, pool: Pool = realMoney) => readPlatformMoneyIn(readerOf(store), pool);

export async function readPlatformMoneyIn({ db, run }: Reader, pool: Pool) {
  const movements = await run(sumAllMovements(db, pool, undefined));
  const calls = await run(sumAllCalls(db, pool, undefined));
  const payouts = await run(sumPayoutsByStatus(db, pool));
  const pending = (await run(sumPendingClicks(db, pool)))[0]!;
  const pendingCalls = (await run(sumPendingCalls(db, pool)))[0]!;
  const refunds = (await run(sumRefunds(db, pool)))[0]!;
  const of = (kind: MovementHourRow["kind"], payers?: readonly Payer[]) => addUpMovements(movements, kind, payers);
  const callsOf = (payer: string) => calls.find((row) => row.payer === payer) ?? nothing;
  const fundingMicroUsd = of("funding").gross_micro;
  const depositsMicroUsd = of("deposit").gross_micro + refunds.amount_micro;
  const advertiserMicroUsd = of("click").gross_micro + of("reversal", clickPayers).gross_micro;
  const chargedMicroUsd = callsOf("developer").gross_micro + of("reversal", ["developer"]).gross_micro;
  const paidMicroUsd = 0 - of("payout").gross_micro - of("payout_returned").gross_micro;
  const underWay = new Set(["proposed", "approved", "exported"]);
  const underWayMicroUsd = payouts.filter((row) => underWay.has(row.status)).reduce((sum, row) => sum + row.amount_micro, 0);
  const earnedMicroUsd =
    callsOf("platform").developer_micro +
    callsOf("developer").developer_micro +
    of("click").developer_micro +
    of("reversal").developer_micro +
    of("adjustment", ["platform"]).developer_micro;
  return {
    /** The operator's own money. */
    fundingMicroUsd,
    /** What developers paid in for calls, less refunds. */
    depositsMicroUsd,
    /** What advertisers owe or paid for valid clicks, less reversals; and the part that may still be reversed. */
    advertiserMicroUsd,
    advertiserPendingMicroUsd: pending.price_micro,
    /** What developers were charged for calls, if they pay. */
    chargedMicroUsd,
    /** What developers earned in total: calls, clicks, adjustments; and what may still be reversed of calls and clicks. */
    earnedMicroUsd,
    pendingMicroUsd: pending.developer_micro + pendingCalls.developer_micro - pendingCalls.reversed_micro,
    /** Payouts in progress, and paid. */
    underWayMicroUsd,
    paidMicroUsd,
    /** The platform's share of calls that developers paid, and of clicks. */
    marginMicroUsd: callsOf("developer").platform_micro + of("click").platform_micro + of("reversal", ["developer", "advertiser"]).platform_micro,
    /**
     * Money in hand that is not committed to a payout: it can cover new ones. What advertisers and calls were charged is
     * no money that came in: an operator books what advertisers pay as funding.
     */
    availableMicroUsd: fundingMicroUsd + depositsMicroUsd - paidMicroUsd - underWayMicroUsd,
  };
}
