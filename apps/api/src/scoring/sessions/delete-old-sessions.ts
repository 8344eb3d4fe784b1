import { msPerDay } from "../../formats/time.ts";
import { addUpDeleted, type Deleted, deleteInSteps } from "../../store/delete-in-steps.ts";
import type { Store } from "../../store/store.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { selectShorterRetentions } from "../../register/accounts.table.ts";
import { deleteOutcomesOfAccount, deleteSessionsOfAccount } from "./sessions.table.ts";

const accountsPerPage = 500;

/** Deletes session records of accounts whose own retention is shorter than the installation's. Outcomes go after their sessions. */
export async function deleteByShorterRetention(store: Store, order: { nowMs: number; isOver: () => boolean }): Promise<Deleted> {
  const steps: Deleted[] = [];
  let afterId = "";
  for (;;) {
    const accounts = await selectShorterRetentions(store.db, { afterId, limit: accountsPerPage }).execute();
    for (const { id: accountId, session_retention_days: days } of accounts) {
      const old = { accountId, beforeId: lowestIdAt("sess", order.nowMs - days! * msPerDay) };
      steps.push(await deleteInSteps((limit) => deleteSessionsOfAccount(store.db, { ...old, limit }).executeTakeFirst(), order.isOver));
      steps.push(await deleteInSteps((limit) => deleteOutcomesOfAccount(store.db, { ...old, limit }).executeTakeFirst(), order.isOver));
    }
    if (accounts.length < accountsPerPage || order.isOver()) return addUpDeleted(steps);
    afterId = accounts.at(-1)!.id;
  }
}
