import { logDays } from "@assay/contract/dashboard/logs.ts";
import type { Store } from "../store/store.ts";
import { lowestIdAt } from "../store/time-ordered-id.ts";
import { deleteOutcomesOfAccount, deleteSessionsOfAccount, selectShorterRetentions } from "./own-account.table.ts";
import { deleteLogsBefore, deleteRequestHoursBefore } from "./requests.table.ts";

const msPerDay = 24 * 3_600_000;
/** A year and a bit: this month can be held against the same month of last year. */
const hoursKeptDays = 400;
const deletesAtOnce = 2_000;
const roundsMax = 1_000;
const accountsPerPage = 500;

/** Deletes in small steps, so that no call waits long behind it. */
async function deleteInSteps(step: () => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    if ((await step()).numDeletedRows < deletesAtOnce) return;
  }
}

/** Session records of accounts that want them gone sooner than the installation does. Outcomes go after their sessions. */
async function keepShorterRetentions(store: Store, nowMs: number): Promise<void> {
  let afterId = "";
  for (;;) {
    const accounts = await selectShorterRetentions(store.db, { afterId, limit: accountsPerPage }).execute();
    for (const { id: accountId, session_retention_days: days } of accounts) {
      const old = { accountId, beforeId: lowestIdAt("sess", nowMs - days! * msPerDay), limit: deletesAtOnce };
      await deleteInSteps(() => deleteSessionsOfAccount(store.db, old).executeTakeFirst());
      await deleteInSteps(() => deleteOutcomesOfAccount(store.db, old).executeTakeFirst());
    }
    if (accounts.length < accountsPerPage) return;
    afterId = accounts.at(-1)!.id;
  }
}

/** One round of upkeep for what the dashboard shows. */
export async function keepDashboard(store: Store, nowMs: number): Promise<void> {
  await deleteInSteps(() => deleteLogsBefore(store.db, { atMs: nowMs - logDays * msPerDay, limit: deletesAtOnce }).executeTakeFirst());
  await deleteInSteps(() => deleteRequestHoursBefore(store.db, { hourMs: nowMs - hoursKeptDays * msPerDay, limit: deletesAtOnce }).executeTakeFirst());
  await keepShorterRetentions(store, nowMs);
}
