import { balanceChangeOf } from "@assay/contract/ledger-chain.ts";
import type { StatementReply } from "@assay/contract/usage.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { LedgerHeadRow } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { selectCorrectionsIn } from "../corrections/corrections.table.ts";
import { correctionsShown, describeCorrection } from "../corrections/describe-corrections.ts";
import { findSeqRange } from "../ledger/find-seq-range.ts";
import { findFirstCheckpoint, readFirstLogTime } from "../ledger/log/find-checkpoint.ts";
import { selectHead, sumCallsByRate } from "../ledger/ledger.table.ts";
import { selectEntryPlace, sumCallBalanceBefore, sumMovementBalanceBefore, sumMovements } from "../ledger/movements.table.ts";
import { sumPrepaid } from "../ledger/prepaid.table.ts";
import { type AdMoney, reportAds } from "./report-ads.ts";
import { describeCallDays, isFromBeforeDays, readCallSettlement } from "./report-calls.ts";
import { addUp, inUsd } from "./report-usage.ts";

type Month = { fromMs: number; toMs: number };
type CallLine = Awaited<ReturnType<ReturnType<typeof sumCallsByRate>["execute"]>>[number] & { kind: "call" };
type MovementLine = Awaited<ReturnType<ReturnType<typeof sumMovements>["execute"]>>[number];

/** Calls billed during a read make its parts inconsistent; it is then repeated up to this often. */
const readsMax = 5;

/** The UTC month of a text YYYY-MM; undefined when it is not one. */
export function parseMonth(text: string): Month | undefined {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return undefined;
  const [year = 0, month = 0] = text.split("-").map(Number);
  return { fromMs: Date.UTC(year, month - 1), toMs: Date.UTC(year, month) };
}

export const monthOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, "YYYY-MM".length);

type MonthRead = {
  head: LedgerHeadRow;
  calls: CallLine[];
  movements: MovementLine[];
  openingMicroUsd: number;
  /** Prepaid money at the month's start and end. */
  prepaid: { openingMicroUsd: number; closingMicroUsd: number };
  range: { fromSeq: number; toSeq: number };
  settlement: Awaited<ReturnType<typeof readCallSettlement>>;
};

async function readMonth(store: Store, accountId: string, month: Month & { asOfMs: number | undefined }, head: LedgerHeadRow): Promise<MonthRead> {
  const span = { accountId, ...month };
  const before = { accountId, beforeMs: month.fromMs };
  const prepaidBefore = async (beforeMs: number) => {
    const sums = await sumPrepaid(store.db, { accountId, beforeMs }).executeTakeFirstOrThrow();
    return (sums.calls_micro ?? 0) + (sums.movements_micro ?? 0);
  };
  const [calls, movements, callsBefore, movementsBefore, range, prepaidAtStart, prepaidAtEnd, settlement] = await Promise.all([
    sumCallsByRate(store.db, span).execute(),
    sumMovements(store.db, span).execute(),
    sumCallBalanceBefore(store.db, before).executeTakeFirstOrThrow(),
    sumMovementBalanceBefore(store.db, before).executeTakeFirstOrThrow(),
    findSeqRange(store, { accountId, headSeq: head.seq }, month),
    prepaidBefore(month.fromMs),
    prepaidBefore(month.toMs),
    readCallSettlement(store, span),
  ]);
  return {
    head,
    calls: calls.map((row) => ({ ...row, kind: "call" as const })),
    movements,
    openingMicroUsd: (callsBefore.balance_micro ?? 0) + (movementsBefore.balance_micro ?? 0),
    prepaid: { openingMicroUsd: prepaidAtStart, closingMicroUsd: prepaidAtEnd },
    range,
    settlement,
  };
}

/** Repeats the read until the chain did not move meanwhile, so that all parts are consistent. */
async function readConsistently(store: Store, accountId: string, month: Month & { asOfMs: number | undefined }): Promise<MonthRead> {
  let head = await selectHead(store.db, accountId).executeTakeFirstOrThrow();
  for (let reads = 1; ; reads += 1) {
    const read = await readMonth(store, accountId, month, head);
    const after = await selectHead(store.db, accountId).executeTakeFirstOrThrow();
    // A month that is over does not change, however busy the account is now.
    if (after.seq === head.seq || reads >= readsMax || head.at >= month.toMs) return read;
    head = after;
  }
}

async function receiptsOf(store: Store, accountId: string, { fromSeq, toSeq }: MonthRead["range"]) {
  const receiptOf = async (seq: number) => {
    const entry = await selectEntryPlace(store.db, { accountId, seq }).executeTakeFirstOrThrow();
    return `${entry.seq}.${entry.hash}`;
  };
  const isEmpty = toSeq < fromSeq;
  return { first: isEmpty ? null : await receiptOf(fromSeq), last: isEmpty ? null : await receiptOf(toSeq) };
}

/** Statements of months that ended before the log began stay as they were, to the byte. */
async function describeCheckpoint(store: Store, accountId: string, month: Month, { fromSeq, toSeq }: MonthRead["range"]): Promise<Pick<StatementReply, "checkpoint">> {
  const logFromMs = await readFirstLogTime(store);
  if (logFromMs === undefined || month.toMs <= logFromMs) return {};
  const found = toSeq < fromSeq ? undefined : await findFirstCheckpoint(store, { accountId, seq: toSeq });
  if (!found) return { checkpoint: null };
  const { origin, size, root, atMs, note } = found;
  return { checkpoint: { origin, size, root: Buffer.from(root).toString("base64"), logged_at: isoTime(atMs), note } };
}

const balanceChangeOfAll = (rows: readonly (CallLine | MovementLine)[]) => rows.reduce((sum, row) => sum + balanceChangeOf(row), 0);

function describeMovements(rows: readonly MovementLine[]): StatementReply["movements"] {
  return [...Map.groupBy(rows, (row) => row.kind)].map(([kind, some]) => {
    const sum = (field: "entries" | "gross_micro" | "developer_micro" | "platform_micro") => some.reduce((total, row) => total + row[field], 0);
    return {
      kind,
      entries: sum("entries"),
      gross_usd: usdOf(sum("gross_micro")),
      developer_usd: usdOf(sum("developer_micro")),
      platform_usd: usdOf(sum("platform_micro")),
      balance_change_usd: usdOf(balanceChangeOfAll(some)),
    };
  });
}

const describeAds = (ads: AdMoney): StatementReply["ads"] => ({
  clicks: ads.clicks,
  developer_usd: usdOf(ads.clickedMicroUsd - ads.reversedMicroUsd),
  pending_usd: usdOf(ads.pendingMicroUsd),
  confirmed_usd: usdOf(ads.confirmedMicroUsd),
  reversed_usd: usdOf(ads.reversedMicroUsd),
});

/** The number on the document. */
export const numberOf = (month: string, accountId: string): string => `${month}-${accountId.slice(-10)}`;

/** An account's statement of a month, equal to the ledger to the micro-dollar; undefined when `month` is not a month. */
export async function makeStatement(
  store: Store,
  options: { accountId: string; month: string; nowMs: number },
): Promise<StatementReply | undefined> {
  const { accountId } = options;
  const parsed = parseMonth(options.month);
  if (!parsed) return undefined;
  const isFinal = options.nowMs >= parsed.toMs;
  const month = { ...parsed, asOfMs: isFinal ? parsed.toMs : undefined };
  const { head, calls, movements, openingMicroUsd, prepaid, range, settlement } = await readConsistently(store, accountId, month);
  const ads = await reportAds(store, { accountId, ...range }, movements);
  const receipts = await receiptsOf(store, accountId, range);
  const corrections = await selectCorrectionsIn(store.db, { accountId, ...range, limit: correctionsShown }).execute();
  const callDays = (await isFromBeforeDays(store, month)) ? {} : await describeCallDays(store, { accountId, ...month, ...range }, settlement);
  const movedBy = (kind: MovementLine["kind"]) => balanceChangeOfAll(movements.filter((row) => row.kind === kind));
  return {
    month: options.month,
    ...inUsd(addUp(calls)),
    charged_usd: usdOf(addUp(calls.filter((row) => row.payer === "developer")).gross_micro),
    balance_usd: usdOf(head.balance_micro),
    lines: calls.map(({ endpoint, payer, share_bps: shareBps, kind: _kind, ...sums }) => ({
      endpoint,
      payer,
      share_percent: shareBps / 100,
      ...inUsd(sums),
    })),
    ads: describeAds(ads),
    ...callDays,
    calls_reversed_usd: usdOf(0 - balanceChangeOfAll(movements.filter((row) => row.kind === "reversal" && row.payer !== "advertiser"))),
    deposits_usd: usdOf(movedBy("deposit")),
    adjustments_usd: usdOf(movedBy("adjustment")),
    corrections: corrections.map(describeCorrection),
    prepaid: { opening_usd: usdOf(prepaid.openingMicroUsd), closing_usd: usdOf(prepaid.closingMicroUsd) },
    payouts: { paid_usd: usdOf(0 - movedBy("payout")), returned_usd: usdOf(movedBy("payout_returned")) },
    movements: describeMovements(movements),
    opening_balance_usd: usdOf(openingMicroUsd),
    closing_balance_usd: usdOf(openingMicroUsd + balanceChangeOfAll(calls) + balanceChangeOfAll(movements)),
    is_final: isFinal,
    entries: range.toSeq - range.fromSeq + 1,
    first_receipt: receipts.first,
    last_receipt: receipts.last,
    ...(await describeCheckpoint(store, accountId, month, range)),
  };
}
