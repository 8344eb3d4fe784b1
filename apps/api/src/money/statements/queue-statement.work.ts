import { type Mail, queueMail } from "../../mail/queue-mail.ts";
import type { TransactionWork } from "../../store/store.ts";
import { type NewEvent, writeEvents } from "../../webhooks/events/write-events.ts";
import { insertStatementMail } from "./statement-mails.table.ts";

export type StatementMail = { accountId: string; month: string; mail: Mail; closed: Extract<NewEvent, { type: "statement.closed" }>["data"]; nowMs: number };

/** The mail, the event and their record commit together: neither a crash nor a second node causes two of them or none. */
export const work: TransactionWork<StatementMail, "queued" | "already_queued"> = async (tx, { accountId, month, mail, closed, nowMs }) => {
  const inserted = await tx.change(insertStatementMail(tx.db, { account_id: accountId, month, queued_at: nowMs }));
  if (inserted === 0) return "already_queued";
  await tx.change(queueMail(tx.db, mail, nowMs));
  await writeEvents(tx, [{ audience: accountId, type: "statement.closed", data: closed }], nowMs);
  return "queued";
};
