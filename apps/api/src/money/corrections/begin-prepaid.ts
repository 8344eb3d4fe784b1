import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { CallPayer, CorrectionRow } from "../../store/schema.ts";
import type { Transaction } from "../../store/store.ts";
import { appendEntries, type LockedHeads, type NewEntry } from "../ledger/append-entries.ts";
import { moveHead } from "../ledger/ledger.table.ts";
import { sumPrepaid } from "../ledger/prepaid.table.ts";
import { insertCorrections } from "./corrections.table.ts";

/** A correction before it is booked. */
export type NewCorrection = Omit<CorrectionRow, "account_id" | "ledger_seq"> & { accountId: string };

const entryOf = ({ accountId, at, kind, ref, payer, amount_micro: amountMicroUsd }: NewCorrection): NewEntry => ({
  accountId,
  atMs: at,
  kind,
  ref,
  endpoint: kind,
  payer,
  shareBps: 10_000,
  grossMicroUsd: amountMicroUsd,
  developerMicroUsd: amountMicroUsd,
});

/** Appends the entries and stores their reasons. The chains are locked; returns the rows of the ledger. */
export async function bookCorrections(tx: Transaction, heads: LockedHeads, corrections: readonly NewCorrection[]) {
  const entries = await appendEntries(tx, heads, corrections.map(entryOf));
  const rows = corrections.map(({ accountId, ...row }, index): CorrectionRow => ({ ...row, account_id: accountId, at: entries[index]!.at, ledger_seq: entries[index]!.seq }));
  await tx.change(insertCorrections(tx.db, rows));
  return entries;
}

const settledReason = "Calls are prepaid from now on: what your calls had cost until now was settled with your earnings.";
const startReason = "Calls are prepaid from now on: you start at zero.";

/**
 * From now on the account's spendable money is kept, from zero. Calls that it was charged for earlier are settled with
 * its earnings as far as those go, and the rest is let off. Returns false if it was begun before.
 */
export async function beginPrepaid(tx: Transaction, heads: LockedHeads, options: { accountId: string; nowMs: number }): Promise<boolean> {
  const { accountId, nowMs } = options;
  const head = heads.get(accountId)!;
  if (head.spendable_micro !== null) return false;
  const [sums] = await tx.run(sumPrepaid(tx.db, { accountId, beforeMs: Number.MAX_SAFE_INTEGER }));
  const prepaidMicroUsd = (sums!.calls_micro ?? 0) + (sums!.movements_micro ?? 0);
  const settledMicroUsd = Math.min(-prepaidMicroUsd, Math.max(0, head.balance_micro - prepaidMicroUsd));
  Object.assign(head, { spendable_micro: prepaidMicroUsd, spendable_seq: head.seq, share_confirmed_seq: head.seq });
  const adjustment = (payer: CallPayer, microUsd: number, reason: string): NewCorrection[] =>
    microUsd === 0 ? [] : [{ accountId, ref: timeOrderedId("adj", nowMs), kind: "adjustment", payer, amount_micro: microUsd, reason, actor_account_id: null, at: nowMs }];
  const corrections = [...adjustment("platform", 0 - settledMicroUsd, settledReason), ...adjustment("developer", 0 - prepaidMicroUsd, startReason)];
  if (corrections.length > 0) {
    await bookCorrections(tx, heads, corrections);
    const detail = { settled_micro: settledMicroUsd, prepaid_micro: prepaidMicroUsd };
    await tx.change(noteAction(tx.db, { actorAccountId: null, action: "account.begin_prepaid", subject: accountId, detail, nowMs }));
  } else {
    await tx.change(moveHead(tx.db, head));
  }
  return true;
}
