import { logDays } from "@assay/contract/dashboard/logs.ts";
import { addUpDeleted, type Deleted, deleteInSteps } from "../../store/delete-in-steps.ts";
import type { Store } from "../../store/store.ts";
import { deleteLogsBefore, deleteRequestHoursBefore } from "./requests.table.ts";
import { msPerDay } from "../../formats/time.ts";

/** A year and a bit: this month can be held against the same month of last year. */
const hoursKeptDays = 400;

/** Deletes request logs and hourly counts that are past retention. */
export async function deleteOldRequests(store: Store, order: { nowMs: number; isOver: () => boolean }): Promise<Deleted> {
  const { nowMs, isOver } = order;
  const steps = [
    await deleteInSteps((limit) => deleteLogsBefore(store.db, { atMs: nowMs - logDays * msPerDay, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteRequestHoursBefore(store.db, { hourMs: nowMs - hoursKeptDays * msPerDay, limit }).executeTakeFirst(), isOver),
  ];
  return addUpDeleted(steps);
}
