import { logDays } from "@assay/contract/dashboard/logs.ts";
import { addUpDeleted, type Deleted, deleteInSteps } from "../store/delete-in-steps.ts";
import type { Store } from "../store/store.ts";
import { lowestIdAt } from "../store/time-ordered-id.ts";
import { deleteOutcomesOfAccount, deleteSessionsOfAccount, selectShorterRetentions } from "./own-account.table.ts";
import { deleteLogsBefore, deleteRequestHoursBefore } from "./requests.table.ts";

const msPerDay = 24 * 3_600_000;
/** A year and a bit: this month can be held against the same month of last year. */
const hoursKeptDays = 400;
const accountsPerPage = 500;

/** Session records of accounts that want them gone sooner than the installation does. Outcomes go after their sessions. */
async function keepShorterRetentions(store: Store, order: { nowMs: number; isOver: () => boolean }): Promise<Deleted[]> {
  const steps: Deleted[] = [];
  let afterId = "";
  for (;;) {
    const accounts = await selectShorterRetentions(store.db, { afterId, limit: accountsPerPage }).execute();
    for (const { id: accountId, session_retention_days: days } of accounts) {
      const old = { accountId, beforeId: lowestIdAt("sess", order.nowMs - days! * msPerDay) };
      steps.push(await deleteInSteps((limit) => deleteSessionsOfAccount(store.db, { ...old, limit }).executeTakeFirst(), order.isOver));
      steps.push(await deleteInSteps((limit) => deleteOutcomesOfAccount(store.db, { ...old, limit }).executeTakeFirst(), order.isOver));
    }
    if (accounts.length < accountsPerPage || order.isOver()) return steps;
    afterId = accounts.at(-1)!.id;
  }
}

/** Deletes what is past its time of what the dashboard shows. */
export async function keepDashboard(store: Store, order: { nowMs: number; isOver: () => boolean }): Promise<Deleted> {
  const { nowMs, isOver } = order;
  const steps = [
    await deleteInSteps((limit) => deleteLogsBefore(store.db, { atMs: nowMs - logDays * msPerDay, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteRequestHoursBefore(store.db, { hourMs: nowMs - hoursKeptDays * msPerDay, limit }).executeTakeFirst(), isOver),
    ...(await keepShorterRetentions(store, order)),
  ];
  return addUpDeleted(steps);
}
