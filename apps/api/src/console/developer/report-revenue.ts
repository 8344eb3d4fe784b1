import type { RevenueReply } from "@assay/contract/dashboard/revenue.ts";
import { balanceChangeOf } from "@assay/contract/ledger-chain.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime, msPerDay, type Span } from "../../formats/time.ts";
import { findSeqRange } from "../../money/ledger/find-seq-range.ts";
import { selectHead } from "../../money/ledger/ledger.table.ts";
import { sumCallsByTimeAndPayer, sumMovementsByTime } from "../../money/ledger/movements.table.ts";
import { reportAds } from "../../money/statements/report-ads.ts";
import { selectPayee } from "../../register/payees.table.ts";
import type { DeveloperContext } from "./developer-context.ts";

/** Whole days in UTC. */
export const revenueSpan = { daysDefault: 30, daysMax: 366, stepMs: msPerDay };

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);

type Earned = { start: number; developer_micro: number };

function dailySeries(span: Span, calls: readonly Earned[], ads: readonly Earned[]): RevenueReply["series"] {
  const callsAt = Map.groupBy(calls, (row) => row.start);
  const adsAt = Map.groupBy(ads, (row) => row.start);
  const usdAt = (rows: Map<number, Earned[]>, start: number) => usdOf(sum(rows.get(start) ?? [], (row) => row.developer_micro));
  const series: RevenueReply["series"] = [];
  for (let start = span.fromMs; start < span.toMs; start += msPerDay) {
    series.push({ start: isoTime(start), calls_usd: usdAt(callsAt, start), ads_usd: usdAt(adsAt, start) });
  }
  return series;
}

export async function reportRevenue(context: DeveloperContext, options: Span & { accountId: string; nowMs: number }): Promise<RevenueReply> {
  const { db } = context.store;
  const { accountId, fromMs, toMs } = options;
  const span = { accountId, fromMs, toMs };
  const head = await selectHead(db, accountId).executeTakeFirstOrThrow();
  const range = await findSeqRange(context.store, { accountId, headSeq: head.seq }, span);
  const [calls, movements, payee, balance] = await Promise.all([
    sumCallsByTimeAndPayer(db, { ...span, bucketMs: msPerDay }).execute(),
    sumMovementsByTime(db, { ...span, bucketMs: msPerDay }).execute(),
    selectPayee(db, accountId).executeTakeFirst(),
    context.balances.read(accountId),
  ]);
  const ads = await reportAds(context.store, { accountId, ...range }, movements);
  const movedBy = (...kinds: string[]) => sum(movements.filter(({ kind }) => kinds.includes(kind)), balanceChangeOf);
  const [prepaid, earning] = [movements.filter(({ payer }) => payer === "developer"), movements.filter(({ payer }) => payer !== "developer")];
  const isReversedCall = ({ kind, payer }: (typeof movements)[number]) => kind === "reversal" && payer !== "advertiser";
  const callShares = [...calls, ...movements.filter(isReversedCall)];
  const adjustmentsMicroUsd = sum(earning.filter(({ kind }) => kind === "adjustment"), balanceChangeOf);
  const now = new Date(options.nowMs);
  return {
    from: isoTime(fromMs),
    to: isoTime(toMs),
    calls: {
      count: sum(calls, (row) => row.calls),
      gross_usd: usdOf(sum(calls, (row) => row.gross_micro)),
      developer_usd: usdOf(sum(calls, (row) => row.developer_micro)),
      reversed_usd: usdOf(0 - sum(movements.filter(isReversedCall), (row) => row.developer_micro)),
      charged_usd: usdOf(sum(calls.filter(({ payer }) => payer === "developer"), (row) => row.gross_micro)),
    },
    ads: {
      clicks: ads.clicks,
      pending_usd: usdOf(ads.pendingMicroUsd),
      confirmed_usd: usdOf(ads.confirmedMicroUsd),
      reversed_usd: usdOf(ads.reversedMicroUsd),
    },
    adjustments_usd: usdOf(adjustmentsMicroUsd),
    prepaid: {
      deposits_usd: usdOf(movedBy("deposit")),
      adjustments_usd: usdOf(sum(prepaid.filter(({ kind }) => kind === "adjustment"), balanceChangeOf)),
      spendable_usd: usdOf(head.spendable_micro ?? 0),
    },
    paid_usd: usdOf(0 - movedBy("payout", "payout_returned")),
    earned_usd: usdOf(sum(callShares, (row) => row.developer_micro) + ads.clickedMicroUsd - ads.reversedMicroUsd + adjustmentsMicroUsd),
    balance_usd: usdOf(head.balance_micro),
    payout: {
      minimum_usd: usdOf(context.payoutMinimumMicroUsd),
      pending_usd: balance.pending_usd,
      profile_complete: payee !== undefined,
      next_close: isoTime(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)),
    },
    balance,
    series: dailySeries(span, callShares, movements.filter(({ payer }) => payer === "advertiser")),
  };
}
