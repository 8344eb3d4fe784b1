import { msPerDay } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { selectSettlement } from "../../money/days/days.table.ts";
import { selectAccountsUnderFinding } from "../../money/findings/findings.table.ts";
import { selectAccountsOnHold } from "../../money/holds/holds.table.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { addUpDeleted, type Deleted, deleteInSteps } from "../../store/delete-in-steps.ts";
import type { Store } from "../../store/store.ts";
import { copyEvidence, deleteEvidenceSessions, selectEvidencePageEnd, selectEvidenceSpans } from "./evidence-sessions.table.ts";

const accountsPerPage = 500;
const rowsPerPage = 2_000;

type Settings = { nowMs: number; retentionDays: number; isOver: () => boolean };

/** From here on the account's calls are not settled. */
const unsettledFromId = async (store: Store, accountId: string): Promise<string> =>
  lowestIdAt("sess", (await selectSettlement(store.db, accountId).executeTakeFirst())?.confirmed_to ?? 0);

/** False when it was interrupted. */
async function keepOfAccount(store: Store, accountId: string, { nowMs, retentionDays, isOver }: Settings): Promise<boolean> {
  const account = await selectOwnAccount(store.db, accountId).executeTakeFirst();
  const days = Math.min(retentionDays, account?.session_retention_days ?? retentionDays);
  const toId = lowestIdAt("sess", nowMs - days * msPerDay);
  for (let afterId = await unsettledFromId(store, accountId); ; ) {
    if (isOver()) return false;
    const page = { accountId, afterId, toId, limit: rowsPerPage };
    const end = await selectEvidencePageEnd(store.db, page).executeTakeFirstOrThrow();
    if (end.id === null) return true;
    await copyEvidence(store.db, page).execute();
    afterId = end.id;
  }
}

/**
 * Copies the session records that retention is about to remove and that back unsettled calls of an account with an open
 * hold or finding. False when it was interrupted: then nothing may be removed yet.
 */
export async function keepEvidence(store: Store, settings: Settings): Promise<boolean> {
  for (const select of [selectAccountsOnHold, selectAccountsUnderFinding]) {
    for (let afterId = "", isMore = true; isMore; ) {
      const accounts = await select(store.db, { afterId, limit: accountsPerPage }).execute();
      for (const { account_id: accountId } of accounts) if (!(await keepOfAccount(store, accountId, settings))) return false;
      afterId = accounts.at(-1)?.account_id ?? afterId;
      isMore = accounts.length === accountsPerPage;
    }
  }
  return true;
}

/** Deletes what was kept of days that are settled since. */
export async function deleteSettledEvidence(store: Store, { isOver }: Pick<Settings, "isOver">): Promise<Deleted> {
  const steps: Deleted[] = [];
  for (let afterId = "", isMore = true; isMore && !isOver(); ) {
    const accounts = await selectEvidenceSpans(store.db, { afterId, limit: accountsPerPage }).execute();
    for (const { account_id: accountId, first_id: firstId } of accounts) {
      const beforeId = await unsettledFromId(store, accountId);
      if (firstId >= beforeId) continue;
      steps.push(await deleteInSteps((limit) => deleteEvidenceSessions(store.db, { accountId, beforeId, limit }).executeTakeFirst(), isOver));
    }
    afterId = accounts.at(-1)?.account_id ?? afterId;
    isMore = accounts.length === accountsPerPage;
  }
  return addUpDeleted(steps);
}
