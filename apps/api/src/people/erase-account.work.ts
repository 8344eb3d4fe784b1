import { lockChains } from "../money/ledger/append-entries.ts";
import { noteAction } from "../register/audit.table.ts";
import type { TransactionWork } from "../store/store.ts";
import { type EraseAccount, type EraseOutcome, settleClosure } from "./settle-closure.ts";

/** For an account that could not be erased when it was closed. */
export const work: TransactionWork<EraseAccount, EraseOutcome> = async (tx, account) => {
  const heads = await lockChains(tx, [account.accountId]);
  const { outcome, notes } = await settleClosure(tx, heads, account);
  for (const note of notes) await tx.change(noteAction(tx.db, note));
  return outcome;
};
