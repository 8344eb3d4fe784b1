import type { StatementReply } from "@assay/contract/usage.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { selectDate } from "../corrections/corrections.table.ts";
import { selectCallDays, selectReversalsIn, selectSettlement, sumReversalsByDay } from "../days/days.table.ts";
import { describeReversal } from "../days/describe-days.ts";
import { selectFindingsOpenAt } from "../findings/findings.table.ts";
import { selectHoldsOpenAt } from "../holds/holds.table.ts";
import { sumPlatformCallsByDay } from "../ledger/ledger.table.ts";

/** `asOfMs`: the month's end; undefined while it is not over. */
type Month = { accountId: string; fromMs: number; toMs: number; asOfMs: number | undefined };

export const reversalsShown = 500;

/** Statements of months that ended before days were settled stay as they were, to the byte. */
export async function isFromBeforeDays(store: Store, month: { toMs: number }): Promise<boolean> {
  const from = await selectDate(store.db, "call_days_from").executeTakeFirst();
  return from !== undefined && month.toMs <= from.at;
}

/** What became of the month's platform-paid calls, as of the month's end. The three sums add up to what they earned. */
export async function readCallSettlement(store: Store, month: Month): Promise<{ pendingMicroUsd: number; confirmedMicroUsd: number; reversedMicroUsd: number }> {
  const { accountId, asOfMs = Number.MAX_SAFE_INTEGER } = month;
  const [earned, reversed, rows, settlement] = await Promise.all([
    sumPlatformCallsByDay(store.db, month).execute(),
    sumReversalsByDay(store.db, { ...month, beforeMs: asOfMs }).execute(),
    selectCallDays(store.db, month).execute(),
    selectSettlement(store.db, accountId).executeTakeFirst(),
  ]);
  const reversedOf = new Map(reversed.map((row) => [row.day, row.developer_micro]));
  const rowOf = new Map(rows.map((row) => [row.day, row]));
  // A settled day without a row is one from before days were settled.
  const isConfirmed = (day: number) => {
    const row = rowOf.get(day);
    return row ? row.settled_at !== null && row.settled_at < asOfMs : day < (settlement?.confirmed_to ?? 0);
  };
  const sums = { pendingMicroUsd: 0, confirmedMicroUsd: 0, reversedMicroUsd: 0 };
  for (const [day, shares] of Map.groupBy(earned, (row) => row.day)) {
    const reversedMicroUsd = reversedOf.get(day) ?? 0;
    const leftMicroUsd = shares.reduce((sum, share) => sum + share.developer_micro, 0) - reversedMicroUsd;
    sums[isConfirmed(day) ? "confirmedMicroUsd" : "pendingMicroUsd"] += leftMicroUsd;
    sums.reversedMicroUsd += reversedMicroUsd;
  }
  return sums;
}

/** What held the account's money at the month's end, or holds it now, with the reasons. */
async function readHeld(store: Store, { accountId, asOfMs = Number.MAX_SAFE_INTEGER }: Month): Promise<NonNullable<StatementReply["held"]>> {
  const [holds, findings] = await Promise.all([
    selectHoldsOpenAt(store.db, { accountId, atMs: asOfMs }).execute(),
    selectFindingsOpenAt(store.db, { accountId, atMs: asOfMs }).execute(),
  ]);
  const held = holds.map(({ reason, opened_at: openedAt }) => ({ by: "held" as const, reason, since: isoTime(openedAt) }));
  return [...held, ...findings.map(({ detail, opened_at: openedAt }) => ({ by: "finding_open" as const, reason: detail, since: isoTime(openedAt) }))];
}

/** The parts of a statement that exist since days are settled. `settlement` was read together with the month's sums. */
export async function describeCallDays(
  store: Store,
  month: Month & { fromSeq: number; toSeq: number },
  settlement: Awaited<ReturnType<typeof readCallSettlement>>,
): Promise<Pick<StatementReply, "calls_settlement" | "call_reversals" | "held">> {
  const [reversals, held] = await Promise.all([selectReversalsIn(store.db, { ...month, limit: reversalsShown }).execute(), readHeld(store, month)]);
  return {
    calls_settlement: {
      pending_usd: usdOf(settlement.pendingMicroUsd),
      confirmed_usd: usdOf(settlement.confirmedMicroUsd),
      reversed_usd: usdOf(settlement.reversedMicroUsd),
    },
    call_reversals: reversals.map(describeReversal),
    held,
  };
}
