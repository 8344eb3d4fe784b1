import { type Mail, queueMail } from "../../mail/queue-mail.ts";
import type { TransactionWork } from "../../store/store.ts";
import { insertStatementMail } from "./statement-mails.table.ts";

export type StatementMail = { accountId: string; month: string; mail: Mail; nowMs: number };

/** The mail and its record commit together: neither a crash nor a second node causes two mails or none. */
export const work: TransactionWork<StatementMail, "queued" | "already_queued"> = async (tx, { accountId, month, mail, nowMs }) => {
  const inserted = await tx.change(insertStatementMail(tx.db, { account_id: accountId, month, queued_at: nowMs }));
  if (inserted === 0) return "already_queued";
  await tx.change(queueMail(tx.db, mail, nowMs));
  return "queued";
};
