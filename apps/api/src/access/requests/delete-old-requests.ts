import { logDays } from "@assay/contract/dashboard/logs.ts";
import { msPerDay } from "../../formats/time.ts";
import { addUpDeleted, type Deleted, deleteInSteps } from "../../store/delete-in-steps.ts";
import type { Store } from "../../store/store.ts";
import { deleteLogsBefore, deleteRequestHoursBefore } from "./requests.table.ts";

/** More than a year, so that a month can be compared with the same month of last year. */
const hoursKeptDays = 400;

/** Deletes request logs and hourly counts that are past retention. */
export async function deleteOldRequests(store: Store, { nowMs, isOver }: { nowMs: number; isOver: () => boolean }): Promise<Deleted> {
  return addUpDeleted([
    await deleteInSteps((limit) => deleteLogsBefore(store.db, { atMs: nowMs - logDays * msPerDay, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteRequestHoursBefore(store.db, { hourMs: nowMs - hoursKeptDays * msPerDay, limit }).executeTakeFirst(), isOver),
  ]);
}
