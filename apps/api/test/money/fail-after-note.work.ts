import type { TransactionWork } from "../../src/store/store.ts";
import { insertStatementMail } from "../../src/money/statements/statement-mails.table.ts";

/** Records that the statement was mailed, and fails before it is. */
export const work: TransactionWork<{ accountId: string; month: string }, never> = async (tx, { accountId, month }) => {
  await tx.change(insertStatementMail(tx.db, { account_id: accountId, month, queued_at: 0 }));
  throw new Error("the power went out");
};
