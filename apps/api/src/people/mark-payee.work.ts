import { lockChains } from "../money/ledger/append-entries.ts";
import { insertMarks, selectPayee } from "../register/payees.table.ts";
import type { TransactionWork } from "../store/store.ts";
import type { PayeeMark } from "./payee-marks.ts";

export type MarkPayee = { accountId: string; updatedAtMs: number; marks: PayeeMark[] };

/** Returns whether it did anything: a profile that was changed or erased since it was read has no use for these marks. */
export const work: TransactionWork<MarkPayee, boolean> = async (tx, { accountId, updatedAtMs, marks }) => {
  await lockChains(tx, [accountId]);
  const [present] = await tx.run(selectPayee(tx.db, accountId));
  if (present?.updated_at !== updatedAtMs) return false;
  await tx.change(insertMarks(tx.db, marks.map((mark) => ({ ...mark, account_id: accountId, entered_at: updatedAtMs }))));
  return true;
};
