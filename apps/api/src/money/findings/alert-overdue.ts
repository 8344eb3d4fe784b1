import { msPerDay } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import type { AlertOverdue, AlertOverdueOutcome } from "./alert-overdue.work.ts";
import { overdueMs } from "./finding-codes.ts";
import { selectOverdue } from "./findings.table.ts";

const alertModule = new URL("./alert-overdue.work.ts", import.meta.url);
const alertedAtOnce = 50;

/** Tells all operators, and the developers, once about findings that nobody decided for too long. Nothing is ever lifted by itself. */
export async function alertOverdue(store: Store, nowMs: number): Promise<{ alerted: number; isMore: boolean }> {
  const order = { beforeMs: nowMs - overdueMs, limit: alertedAtOnce, nowMs };
  const { found, alerted } = await store.transact<AlertOverdue, AlertOverdueOutcome>(alertModule, order);
  return { alerted, isMore: found === alertedAtOnce };
}

export type OverdueFindings = { overdue: number; oldestDays: number };

/** How many findings are overdue, and for how long the oldest has been open; 0 where none is. */
export async function countOverdue(store: Store, nowMs: number): Promise<OverdueFindings> {
  const { count, opened_at: openedAt } = await selectOverdue(store.db, { beforeMs: nowMs - overdueMs }).executeTakeFirstOrThrow();
  return { overdue: count, oldestDays: openedAt === null ? 0 : Math.floor((nowMs - openedAt) / msPerDay) };
}
