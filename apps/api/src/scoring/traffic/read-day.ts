import { msPerDay, msPerHour } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { sumCallsByTime } from "../../money/ledger/ledger.table.ts";
import type { Store } from "../../store/store.ts";
import { selectBilledSessions, selectEvidenceSessions, selectBilledSignals } from "../sessions/evidence-sessions.table.ts";

export type WatchedRow = Awaited<ReturnType<ReturnType<typeof selectBilledSessions>["execute"]>>[number];
/** `recordsOnly`: without what is kept as evidence, which a store of an earlier version does not have. */
type Day = { accountId: string; day: number; recordsOnly?: boolean };

/** Few enough that no call waits long behind one page. */
const rowsPerPage = 2_000;
/** More sessions of a day are not checked: checking so many takes about a tenth of a second. */
export const sampledMax = 6_000;

/** All billed sessions of a day in pages, the oldest first: those that are kept as evidence, then those of the records. */
export async function* readDay(store: Store, { accountId, day, recordsOnly = false }: Day): AsyncGenerator<WatchedRow[]> {
  const toId = lowestIdAt("sess", day + msPerDay);
  let afterId = lowestIdAt("sess", day);
  // Retention removes the oldest records first, so what is kept of a day comes before what is left of it.
  for (const select of recordsOnly ? [selectBilledSignals] : [selectEvidenceSessions, selectBilledSessions]) {
    for (let isMore = true; isMore; ) {
      const rows = await select(store.db, { accountId, afterId, toId, limit: rowsPerPage }).execute();
      if (rows.length > 0) yield rows;
      afterId = rows.at(-1)?.id ?? afterId;
      isMore = rows.length === rowsPerPage;
    }
  }
}

/** Consecutive sessions of an hour from a random moment on, and from its beginning if the hour ends before there are enough. */
async function sampleHour(store: Store, hour: { accountId: string; hourMs: number; limit: number }, random: () => number): Promise<WatchedRow[]> {
  const { accountId, hourMs, limit } = hour;
  const [fromId, middleId, toId] = [hourMs, hourMs + Math.floor(random() * msPerHour), hourMs + msPerHour].map((atMs) => lowestIdAt("sess", atMs)) as [string, string, string];
  const later = await selectBilledSignals(store.db, { accountId, afterId: middleId, toId, limit }).execute();
  if (later.length === limit) return later;
  const earlier = await selectBilledSignals(store.db, { accountId, afterId: fromId, toId: middleId, limit: limit - later.length }).execute();
  return [...earlier, ...later];
}

/**
 * The billed sessions of a day, the oldest first, and the number of its calls. Of a day with more than `sampledMax` calls
 * it is a sample: of every hour its share, at a moment that nobody can know beforehand.
 */
export async function readDaySample(store: Store, place: Day, random: () => number): Promise<{ rows: WatchedRow[]; calls: number }> {
  const { accountId, day } = place;
  const hours = await sumCallsByTime(store.db, { accountId, fromMs: day, toMs: day + msPerDay, bucketMs: msPerHour }).execute();
  const calls = hours.reduce((sum, hour) => sum + hour.calls, 0);
  const rows: WatchedRow[] = [];
  if (calls <= sampledMax) {
    for await (const page of readDay(store, place)) rows.push(...page);
    return { rows, calls };
  }
  for (const [hourMs, endpoints] of Map.groupBy(hours, ({ start }) => start)) {
    const share = endpoints.reduce((sum, each) => sum + each.calls, 0) / calls;
    rows.push(...(await sampleHour(store, { accountId, hourMs, limit: Math.ceil(share * sampledMax) }, random)));
  }
  return { rows, calls };
}
