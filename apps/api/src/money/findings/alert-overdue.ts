import { queueMail } from "../../mail/queue-mail.ts";
import { msPerDay } from "../../formats/time.ts";
import { selectActiveOperators } from "../../register/accounts.table.ts";
import type { Store } from "../../store/store.ts";
import { overdueMs } from "./finding-codes.ts";
import { findingsOverdueMail } from "./finding-mails.ts";
import { markAlerted, selectOverdue, selectUnalerted } from "./findings.table.ts";

const alertedAtOnce = 50;
const operatorsMax = 100;

/** Mails all operators once about findings that nobody decided for too long. Nothing is ever lifted by itself. */
export async function alertOverdue(store: Store, nowMs: number): Promise<{ alerted: number; isMore: boolean }> {
  const overdue = await selectUnalerted(store.db, { beforeMs: nowMs - overdueMs, limit: alertedAtOnce }).execute();
  const [first] = overdue;
  if (!first) return { alerted: 0, isMore: false };
  const operators = await selectActiveOperators(store.db, { limit: operatorsMax }).execute();
  const mails = operators.map(({ id, email }) => queueMail(store.db, findingsOverdueMail({ to: email, accountId: id }, overdue), nowMs));
  const marks = overdue.map(({ id }) => markAlerted(store.db, { findingId: id, nowMs }));
  // The first is the guard: if two nodes do this at once, one of them mails.
  await store.write([...marks, ...mails], { firstIsGuard: true });
  return { alerted: overdue.length, isMore: overdue.length === alertedAtOnce };
}

export type OverdueFindings = { overdue: number; oldestDays: number };

/** How many findings are overdue, and for how long the oldest has been open; 0 where none is. */
export async function countOverdue(store: Store, nowMs: number): Promise<OverdueFindings> {
  const { count, opened_at: openedAt } = await selectOverdue(store.db, { beforeMs: nowMs - overdueMs }).executeTakeFirstOrThrow();
  return { overdue: count, oldestDays: openedAt === null ? 0 : Math.floor((nowMs - openedAt) / msPerDay) };
}
