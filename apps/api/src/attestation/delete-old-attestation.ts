import { setTimeout as sleep } from "node:timers/promises";
import { msPerDay, startOfDay } from "../formats/time.ts";
import { type Deleted, deleteInSteps } from "../store/delete-in-steps.ts";
import type { SqliteStore, Store } from "../store/store.ts";
import { blankSaltsBefore, deleteNetworkDaysBefore, deleteSaltsBefore, selectDaysBefore } from "./networks/networks.table.ts";
import { deleteDaysOfDeletedSites, deleteDeletedSites, deleteSiteDaysBefore } from "./sites/sites.table.ts";

/** More than a year, so that a month can be compared with the same month of last year. */
const countsKeptDays = 400;
/** Longer than a session and its last token live, so that nothing is counted for a site after its counts are deleted. */
const deletedSitesKeptDays = 2;
const triesMax = 10;
const tryEveryMs = 200;

/** Readers finish within moments. False if one does not: the job comes back in an hour. */
async function emptyLog(store: SqliteStore): Promise<boolean> {
  for (let tries = 1; !(await store.emptyLog()); tries += 1) {
    if (tries === triesMax) return false;
    await sleep(tryEveryMs);
  }
  return true;
}

/**
 * Today's and yesterday's stay: windows span midnight. Without its salt nobody can compute a network's tag again, so
 * nothing of it may be left in SQLite's files either: its row is deleted once the write-ahead log is empty.
 */
export async function deleteOldSalts(store: Store, nowMs: number): Promise<void> {
  const { db } = store;
  const day = startOfDay(nowMs) - msPerDay;
  if ((await selectDaysBefore(db, day).execute()).length === 0) return;
  await blankSaltsBefore(db, day).execute();
  if (store.dialect === "sqlite" && !(await emptyLog(store))) return;
  await deleteSaltsBefore(db, day).execute();
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
