import { msPerDay } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { selectBilledSessions, selectEvidenceSessions } from "../sessions/evidence-sessions.table.ts";

export type WatchedRow = Awaited<ReturnType<ReturnType<typeof selectBilledSessions>["execute"]>>[number];

/** Few enough that no call waits long behind one page. */
export const rowsPerPage = 2_000;

/** All billed sessions of a day in pages, the oldest first: those that are kept as evidence, then those of the records. */
export async function* readDay(store: Store, place: { accountId: string; day: number }): AsyncGenerator<WatchedRow[]> {
  const { accountId, day } = place;
  const toId = lowestIdAt("sess", day + msPerDay);
  let afterId = lowestIdAt("sess", day);
  // Retention removes the oldest records first, so what is kept of a day comes before what is left of it.
  for (const select of [selectEvidenceSessions, selectBilledSessions]) {
    for (let isMore = true; isMore; ) {
      const rows = await select(store.db, { accountId, afterId, toId, limit: rowsPerPage }).execute();
      if (rows.length > 0) yield rows;
      afterId = rows.at(-1)?.id ?? afterId;
      isMore = rows.length === rowsPerPage;
    }
  }
}
