import type { MoneyReply } from "@assay/contract/dashboard/operator.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime, type Span } from "../../formats/time.ts";
import { addUpMovements, callPayers, clickPayers } from "../../money/ledger/add-up-movements.ts";
import { selectNewestEntries } from "../../money/ledger/ledger.table.ts";
import { sumAllCalls, sumAllMovements } from "../../money/ledger/platform-sums.table.ts";
import { demoMoney, platformChain, realMoney } from "../../money/ledger/pools.ts";
import { payableFromMs } from "../../money/payable-months.ts";
import { readPlatformMoney } from "../../money/payouts/platform-money.ts";
import { addUpStates, describeStates } from "../../money/payouts/read-balance.ts";
import { listCandidates, type PayoutSettings } from "../../money/payouts/propose-payouts.ts";
import { selectFirstAccount } from "../../register/accounts.table.ts";
import type { MovementHourRow } from "../../store/schema-dashboard.ts";
import type { Payer } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";

const monthsShown = 12;
const fundingShown = 100;

async function readMonth(store: Store, month: Span, nowMs: number): Promise<MoneyReply["months"][number]> {
  const [calls, movements] = await Promise.all([sumAllCalls(store.db, realMoney, month).execute(), sumAllMovements(store.db, realMoney, month).execute()]);
  const sum = (name: "calls" | "gross_micro" | "developer_micro" | "platform_micro") => calls.reduce((total, row) => total + row[name], 0);
  const of = (kind: MovementHourRow["kind"], payers?: readonly Payer[]) => addUpMovements(movements, kind, payers);
  const [click, reversal, adjustment] = [of("click"), of("reversal"), of("adjustment", ["platform"])];
  return {
    month: isoTime(month.fromMs).slice(0, 7),
    closed: month.toMs <= nowMs,
    payable_from: isoTime(payableFromMs(month.toMs)),
    calls: sum("calls"),
    calls_gross_usd: usdOf(sum("gross_micro") + of("reversal", callPayers).gross_micro),
    clicks_gross_usd: usdOf(click.gross_micro + of("reversal", clickPayers).gross_micro),
    developer_usd: usdOf(sum("developer_micro") + click.developer_micro + reversal.developer_micro + adjustment.developer_micro),
    platform_usd: usdOf(sum("platform_micro") + click.platform_micro + reversal.platform_micro),
    paid_usd: usdOf(-(of("payout").gross_micro + of("payout_returned").gross_micro)),
    funding_usd: usdOf(of("funding").gross_micro),
    deposits_usd: usdOf(of("deposit").gross_micro),
  };
}

/** Newest first, back to the month of the first account: no entry is older. */
function lastMonths(nowMs: number, firstMs: number): Span[] {
  const now = new Date(nowMs);
  const months = Array.from({ length: monthsShown }, (_, back) => ({
    fromMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back),
    toMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back + 1),
  }));
  return months.filter(({ toMs }, back) => back === 0 || toMs > firstMs);
}

/** The money of demo accounts, which is in no other figure; null where there is none. */
async function readDemoMoney(store: Store): Promise<MoneyReply["demo"]> {
  const cash = await readPlatformMoney(store, demoMoney);
  if (cash.fundingMicroUsd === 0 && cash.earnedMicroUsd === 0) return null;
  return {
    funding_usd: usdOf(cash.fundingMicroUsd),
    earned_usd: usdOf(cash.earnedMicroUsd),
    under_way_usd: usdOf(cash.underWayMicroUsd),
    paid_usd: usdOf(cash.paidMicroUsd),
    available_usd: usdOf(cash.availableMicroUsd),
  };
}

/** Reads the ledger's rollups, not its entries. */
export async function readMoney(store: Store, options: PayoutSettings & { fourEyes: boolean }): Promise<MoneyReply> {
  const { nowMs } = options;
  const { created_at: firstMs } = await selectFirstAccount(store.db).executeTakeFirstOrThrow();
  const [cash, demo, { month, candidates }, funding, months] = await Promise.all([
    readPlatformMoney(store),
    readDemoMoney(store),
    listCandidates(store, options),
    selectNewestEntries(store.db, { accountId: platformChain, limit: fundingShown }).execute(),
    Promise.all(lastMonths(nowMs, firstMs ?? nowMs).map((each) => readMonth(store, each, nowMs))),
  ]);
  const states = addUpStates(candidates.map((each) => each.states));
  const dueMicroUsd = states.waiting.reduce((sum, each) => sum + (each.reason === "not_yet_due" ? 0 : each.microUsd), 0);
  return {
    funding_usd: usdOf(cash.fundingMicroUsd),
    deposits_usd: usdOf(cash.depositsMicroUsd),
    advertiser_usd: usdOf(cash.advertiserMicroUsd),
    advertiser_pending_usd: usdOf(cash.advertiserPendingMicroUsd),
    charged_usd: usdOf(cash.chargedMicroUsd),
    earned_usd: usdOf(cash.earnedMicroUsd),
    pending_usd: usdOf(cash.pendingMicroUsd),
    held_usd: usdOf(dueMicroUsd),
    payable_usd: usdOf(states.payableMicroUsd),
    states: describeStates(states),
    four_eyes: options.fourEyes ? "on" : "off",
    under_way_usd: usdOf(cash.underWayMicroUsd),
    paid_usd: usdOf(cash.paidMicroUsd),
    margin_usd: usdOf(cash.marginMicroUsd),
    available_usd: usdOf(cash.availableMicroUsd),
    payable_month: month.name,
    demo,
    months,
    funding: funding.map((entry) => ({ ref: entry.ref, at: isoTime(entry.at), usd: usdOf(entry.gross_micro), receipt: `${entry.seq}.${entry.hash}` })),
  };
}
