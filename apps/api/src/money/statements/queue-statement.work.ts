import { type Mail, queueMail } from "../../mail/queue-mail.ts";
import type { TransactionWork } from "../../store/store.ts";
import { insertStatementMail } from "./statement-mails.table.ts";

export type StatementOrder = { accountId: string; month: string; mail: Mail; nowMs: number };

/** The mail and the note that it was written are one: neither a crash nor a second node makes it two mails or none. */
export const work: TransactionWork<StatementOrder, "queued" | "already_queued"> = async (tx, { accountId, month, mail, nowMs }) => {
  const told = await tx.change(insertStatementMail(tx.db, { account_id: accountId, month, queued_at: nowMs }));
  if (told === 0) return "already_queued";
  await tx.change(queueMail(tx.db, mail, nowMs));
  return "queued";
};
