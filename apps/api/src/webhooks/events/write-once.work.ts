import type { TransactionWork } from "../../store/store.ts";
import { advanceHead, insertDeliveries, insertEvent, lockHead, selectOnce } from "./events.table.ts";

/** An event that belongs to no transaction of its own: the first one with its key is written, later ones are not. */
export type OnceEvent = { id: string; audience: string; type: string; data: string; onceKey: string; nowMs: number };
export type OnceOutcome = "written" | "already_written";

export const work: TransactionWork<OnceEvent, OnceOutcome> = async (tx, event) => {
  if ((await tx.run(selectOnce(tx.db, event))).length > 0) return "already_written";
  await tx.change(lockHead(tx.db, event.audience));
  // A node that wrote it meanwhile held the head, and has committed.
  if ((await tx.run(selectOnce(tx.db, event))).length > 0) return "already_written";
  await tx.change(advanceHead(tx.db, event.audience));
  await tx.change(insertEvent(tx.db, event));
  await tx.change(insertDeliveries(tx.db, event));
  return "written";
};
