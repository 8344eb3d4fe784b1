import { msPerDay } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { selectShorterRetentions } from "../../register/accounts.table.ts";
import { addUpDeleted, type Deleted, deleteInSteps } from "../../store/delete-in-steps.ts";
import type { Store } from "../../store/store.ts";
import { deleteOutcomesOfAccount, deleteSessionsOfAccount } from "./sessions.table.ts";

const accountsPerPage = 500;

/** Applies the retention of accounts that chose a shorter one, to days that were checked. A session is deleted before its outcomes. */
export async function deleteByShorterRetention(store: Store, { nowMs, checkedToMs, isOver }: { nowMs: number; checkedToMs: number; isOver: () => boolean }): Promise<Deleted> {
  const steps: Deleted[] = [];
  let afterId = "";
  for (;;) {
    const accounts = await selectShorterRetentions(store.db, { afterId, limit: accountsPerPage }).execute();
    for (const { id: accountId, session_retention_days: days } of accounts) {
      const old = { accountId, beforeId: lowestIdAt("sess", Math.min(checkedToMs, nowMs - days! * msPerDay)) };
      steps.push(await deleteInSteps((limit) => deleteSessionsOfAccount(store.db, { ...old, limit }).executeTakeFirst(), isOver));
      steps.push(await deleteInSteps((limit) => deleteOutcomesOfAccount(store.db, { ...old, limit }).executeTakeFirst(), isOver));
    }
    if (accounts.length < accountsPerPage || isOver()) return addUpDeleted(steps);
    afterId = accounts.at(-1)!.id;
  }
}
