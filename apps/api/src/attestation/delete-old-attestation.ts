import { msPerDay, startOfDay } from "../formats/time.ts";
import { type Deleted, deleteInSteps } from "../store/delete-in-steps.ts";
import type { Store } from "../store/store.ts";
import { deleteNetworkDaysBefore, deleteSaltsBefore } from "./networks/networks.table.ts";
import { deleteDaysOfDeletedSites, deleteDeletedSites, deleteSiteDaysBefore } from "./sites/sites.table.ts";

/** More than a year, so that a month can be compared with the same month of last year. */
const countsKeptDays = 400;
/** Longer than a session and its last token live, so that nothing is counted for a site after its counts are deleted. */
const deletedSitesKeptDays = 2;

/** Today's and yesterday's stay: windows span midnight. Without its salt nobody can compute a network's tag again. */
export async function deleteOldSalts({ db }: Store, nowMs: number): Promise<void> {
  await deleteSaltsBefore(db, startOfDay(nowMs) - msPerDay).execute();
}

/** Deletes sites that ended, with their counts, and counts past retention. */
export async function deleteOldAttestation({ db }: Store, { nowMs, isOver }: { nowMs: number; isOver: () => boolean }): Promise<Deleted[]> {
  const day = startOfDay(nowMs) - countsKeptDays * msPerDay;
  const deletedBeforeMs = nowMs - deletedSitesKeptDays * msPerDay;
  return [
    await deleteInSteps((limit) => deleteDaysOfDeletedSites(db, { deletedBeforeMs, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteDeletedSites(db, { deletedBeforeMs, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteSiteDaysBefore(db, { day, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteNetworkDaysBefore(db, { day, limit }).executeTakeFirst(), isOver),
  ];
}
