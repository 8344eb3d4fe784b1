import type { CallDayRow } from "../../store/schema-integrity.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { findHeldAccounts } from "../holds/find-held-accounts.ts";
import { lockChains } from "../ledger/append-entries.ts";
import { sumPlatformCallsByDay } from "../ledger/ledger.table.ts";
import { decideWaiting, reduceWaiting, selectWaitingCallsOfDays } from "../waiting/waiting.table.ts";
import { moveSettlement, putCallDay, selectCallDays, selectSettlement } from "./days.table.ts";

/** The account's chain is locked meanwhile, and its calls wait: an account that was held for long takes several steps. */
const daysAtOnce = 92;

/** Settles the days before `toMs`. */
export type DaySettlement = { accountId: string; toMs: number; nowMs: number };
export type DaySettlementOutcome = { settledDays: number; isMore: boolean };

/** What waits of a day is part of what is left of it: reversals may have taken the same calls since. */
async function limitWaiting(tx: Transaction, accountId: string, settled: readonly CallDayRow[]): Promise<void> {
  const [first, last] = [settled[0], settled.at(-1)];
  if (!first || !last) return;
  const leftOf = new Map(settled.map((row) => [row.day, row.developer_micro - row.reversed_developer_micro]));
  for (const { id, day, items, developer_micro: waitsMicro } of await tx.run(selectWaitingCallsOfDays(tx.db, { accountId, fromMs: first.day, toMs: last.day + 1 }))) {
    const leftMicro = leftOf.get(day) ?? 0;
    const keptMicro = Math.min(leftMicro, waitsMicro);
    leftOf.set(day, leftMicro - keptMicro);
    if (keptMicro === waitsMicro) continue;
    await tx.change(reduceWaiting(tx.db, { waitingId: id, items: Math.ceil((items * keptMicro) / waitsMicro), developerMicroUsd: keptMicro }));
    if (keptMicro === 0) {
      await tx.change(decideWaiting(tx.db, { waitingId: id, decision: "reversed", resolution: "The calls were reversed.", decidedBy: null, nowMs: settled[0]!.settled_at! }));
    }
  }
}

/**
 * Confirms an account's oldest pending days, or marks them as reversed where nothing is left of them. A hold that is
 * opened, a reversal and a payout lock the same chain: each finds a day settled or pending, never both.
 */
export const work: TransactionWork<DaySettlement, DaySettlementOutcome> = async (tx, { accountId, toMs, nowMs }) => {
  const nothing: DaySettlementOutcome = { settledDays: 0, isMore: false };
  await lockChains(tx, [accountId]);
  const confirmedToMs = (await tx.run(selectSettlement(tx.db, accountId)))[0]?.confirmed_to ?? 0;
  if (confirmedToMs >= toMs || (await findHeldAccounts(tx, [accountId])).size > 0) return nothing;
  const span = { accountId, fromMs: confirmedToMs, toMs };
  const days = [...Map.groupBy(await tx.run(sumPlatformCallsByDay(tx.db, span)), ({ day }) => day)];
  const reversedOf = new Map((await tx.run(selectCallDays(tx.db, span))).map((row) => [row.day, row]));
  const settled = days.slice(0, daysAtOnce).map(([day, shares]): CallDayRow => {
    const sum = (name: "calls" | "gross_micro" | "developer_micro") => shares.reduce((total, share) => total + share[name], 0);
    const reversed = reversedOf.get(day);
    const sums = { calls: sum("calls"), gross_micro: sum("gross_micro"), developer_micro: sum("developer_micro") };
    return {
      account_id: accountId,
      day,
      state: sums.calls === reversed?.reversed_calls ? "reversed" : "confirmed",
      ...sums,
      reversed_calls: reversed?.reversed_calls ?? 0,
      reversed_gross_micro: reversed?.reversed_gross_micro ?? 0,
      reversed_developer_micro: reversed?.reversed_developer_micro ?? 0,
      reversals: reversed?.reversals ?? 0,
      settled_at: nowMs,
    };
  });
  for (const row of settled) await tx.change(putCallDay(tx.db, row));
  await limitWaiting(tx, accountId, settled);
  const next = days[daysAtOnce];
  await tx.change(moveSettlement(tx.db, { accountId, confirmedToMs: next?.[0] ?? toMs }));
  return { settledDays: settled.length, isMore: next !== undefined };
};
