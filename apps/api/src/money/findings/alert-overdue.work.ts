import { isoTime } from "../../formats/time.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { selectActiveOperators } from "../../register/accounts.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { toBothSides } from "./finding-events.ts";
import { findingsOverdueMail } from "./finding-mails.ts";
import { markAlerted, selectUnalerted } from "./findings.table.ts";

const operatorsMax = 100;

export type AlertOverdue = { beforeMs: number; limit: number; nowMs: number };
export type AlertOverdueOutcome = { found: number; alerted: number };

/** A finding that was decided meanwhile, or that another node alerts, is left out. */
export const work: TransactionWork<AlertOverdue, AlertOverdueOutcome> = async (tx, { beforeMs, limit, nowMs }) => {
  const found = await tx.run(selectUnalerted(tx.db, { beforeMs, limit }));
  const overdue: typeof found = [];
  // In the order of their ids: two nodes that do this at once wait for each other.
  for (const finding of found.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    if ((await tx.change(markAlerted(tx.db, { findingId: finding.id, nowMs }))) === 1) overdue.push(finding);
  }
  if (overdue.length === 0) return { found: found.length, alerted: 0 };
  for (const { id, email } of await tx.run(selectActiveOperators(tx.db, { limit: operatorsMax }))) {
    await tx.change(queueMail(tx.db, findingsOverdueMail({ to: email, accountId: id }, overdue), nowMs));
  }
  const events = overdue.flatMap(({ id, account_id: accountId, opened_at: openedAt }) =>
    toBothSides({ type: "finding.overdue", data: { account_id: accountId, finding_id: id, opened_at: isoTime(openedAt) } }),
  );
  await writeEvents(tx, events, nowMs);
  return { found: found.length, alerted: overdue.length };
};
