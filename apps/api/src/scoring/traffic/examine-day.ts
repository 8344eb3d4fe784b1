import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { msPerDay, msPerMinute } from "../../formats/time.ts";
import { sumCallsByTime, sumPlatformCallsByDay } from "../../money/ledger/ledger.table.ts";
import { readDailyAllowances, recordWaiting } from "../../money/unexamined/record-waiting.ts";
import type { Store } from "../../store/store.ts";
import { selectBilledSessions } from "../sessions/evidence-sessions.table.ts";
import { createCandidates, createRepeats } from "./count-repeats.ts";
import { findUnexamined, repeatedMaxOf } from "./find-unexamined.ts";
import { readDay, type WatchedRow } from "./read-day.ts";

type Place = { accountId: string; day: number };

/** More calls of one account than this are not booked in another minute's day. */
const boundaryMax = 2_000;

export const analysisEndpoint = "servicescore_analyze";

/** All sessions of the day; `known` if they have been read already. Twice through: first to find what may be frequent, then to count it. */
async function countSessions(store: Store, place: Place, known: readonly WatchedRow[] | undefined) {
  const pages = async function* () {
    if (known) yield known;
    else yield* readDay(store, place);
  };
  const candidates = createCandidates();
  let stored = 0;
  for await (const rows of pages()) {
    stored += rows.length;
    for (const row of rows) candidates.add(row);
  }
  const repeats = createRepeats(candidates.hashes());
  for await (const rows of pages()) for (const row of rows) repeats.add(row);
  return { stored, repeated: repeats.above(repeatedMaxOf(stored)) };
}

/**
 * Records of the minute before the day and of the one after it. A chain's time never runs back: where several nodes write,
 * a call of the last moments of a day may be booked in the next one, while its record keeps its own time.
 */
async function countAtMidnights(store: Store, { accountId, day }: Place): Promise<number> {
  let count = 0;
  for (const [fromMs, toMs] of [[day - msPerMinute, day], [day + msPerDay, day + msPerDay + msPerMinute]] as const) {
    const page = { accountId, afterId: lowestIdAt("sess", fromMs), toId: lowestIdAt("sess", toMs), limit: boundaryMax };
    count += (await selectBilledSessions(store.db, page).execute()).length;
  }
  return count;
}

/** Sets aside what of a complete day nobody can examine. Written before the day counts as checked, and the same if it is written again. */
export async function examineDay(store: Store, place: Place, { rows, nowMs }: { rows: readonly WatchedRow[] | undefined; nowMs: number }): Promise<void> {
  const span = { accountId: place.accountId, fromMs: place.day, toMs: place.day + msPerDay };
  const endpoints = await sumCallsByTime(store.db, { ...span, bucketMs: msPerDay }).execute();
  const sumOf = (isCounted: (endpoint: string) => boolean) => endpoints.filter(({ endpoint }) => isCounted(endpoint)).reduce((sum, { calls }) => sum + calls, 0);
  const sessions = await countSessions(store, place, rows);
  const calls = sumOf((endpoint) => endpoint !== analysisEndpoint);
  const missing = Math.max(0, calls - sessions.stored);
  const day = {
    ...sessions,
    analyses: sumOf((endpoint) => endpoint === analysisEndpoint),
    scoringCalls: calls,
    missing: missing === 0 ? 0 : Math.max(0, missing - (await countAtMidnights(store, place))),
    shares: await sumPlatformCallsByDay(store.db, span).execute(),
  };
  await recordWaiting(store, { ...place, found: findUnexamined(day, await readDailyAllowances(store, place.accountId)), nowMs });
}
