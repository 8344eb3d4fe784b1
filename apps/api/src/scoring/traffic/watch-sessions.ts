import { setTimeout as sleep } from "node:timers/promises";
import { selectNetworkDays } from "../../attestation/networks/networks.table.ts";
import { msPerDay, msPerMinute, startOfDay } from "../../formats/time.ts";
import type { DayResult } from "../../money/evidence/day-result.ts";
import { insertNotices } from "../../money/evidence/evidence.table.ts";
import type { CheckName } from "../../money/evidence/e-process.ts";
import { recordDay } from "../../money/findings/record-day.ts";
import type { WatchedResult } from "../../money/findings/record-day.work.ts";
import { moveDate, selectDate } from "../../money/corrections/corrections.table.ts";
import { exampleSessionsMax } from "../../money/findings/finding-codes.ts";
import type { Store } from "../../store/store.ts";
import { checkDay } from "./check-duplicates.ts";
import { checkShared, markOf } from "./check-shared.ts";
import type { People } from "./find-irregularities.ts";
import { examineDay } from "./examine-day.ts";
import { findNotices } from "./find-notices.ts";
import { countMarks, insertMarks, selectAccountsToWatch, selectFirstUncheckedDay, selectSharedMarks } from "./integrity.table.ts";
import { matchSessions } from "./match-sessions.ts";
import { readDaySample, sampledMax, type WatchedRow } from "./read-day.ts";
import { addSummary, emptySummary, readSummary } from "./session-summary.ts";
import { sumUpNetworkDays } from "./sum-up-networks.ts";
import { selectHours } from "./traffic.table.ts";

/** A call's record is written seconds after its id is made; after this long every node's records are stored. */
const recordDelayMsMax = 5 * msPerMinute;
const accountsPerPage = 200;
const marksPerWrite = 200;
/** After each account the job rests as long as that took, up to this: catching up takes at most half a core. */
const restMsMax = 1_000;
/** Fewer sessions tell nothing about a change. */
const comparedSessionsMin = 200;
const weekDays = 7;

/** `only` names the accounts, where not all are meant. */
export type WatchSettings = { nowMs: number; people: People; random: () => number; isOver: () => boolean; only?: ReadonlySet<string> };
export type Watched = { days: number; opened: number; isMore: boolean };
type Place = { accountId: string; day: number };

/** The hours that sum-up-hours.ts has summed up. */
async function readWeekBefore(store: Store, { accountId, day }: Place) {
  const summary = emptySummary();
  const hours = await selectHours(store.db, { accountId, fromMs: day - weekDays * msPerDay, toMs: day, limit: weekDays * 24 }).execute();
  const days = new Set<number>();
  for (const hour of hours) {
    const more = readSummary(hour.summary);
    if (more.sessions > 0) days.add(startOfDay(hour.hour));
    addSummary(summary, more);
  }
  return { summary, days: days.size };
}

async function writeNotices(store: Store, place: Place, day: { rows: WatchedRow[]; calls: number }, people: People): Promise<void> {
  const before = day.rows.length < comparedSessionsMin ? { summary: emptySummary(), days: 0 } : await readWeekBefore(store, place);
  const parts = await selectNetworkDays(store.db, { accountId: place.accountId, fromDay: place.day }).execute();
  const networks = sumUpNetworkDays(parts).find((each) => each.day === place.day);
  const notices = await findNotices({ rows: day.rows, sessions: day.calls, before, networks }, people);
  if (notices.length === 0) return;
  await insertNotices(store.db, notices.map((notice) => ({ account_id: place.accountId, day: place.day, ...notice }))).execute();
}

async function writeMarks(store: Store, { accountId, day }: Place, rows: readonly WatchedRow[]): Promise<void> {
  const marks = new Map<number, string>();
  for (const row of rows) {
    const mark = markOf(row);
    if (mark !== undefined && !marks.has(mark)) marks.set(mark, row.id);
  }
  const marked = [...marks].map(([mark, sessionId]) => ({ mark, account_id: accountId, session_id: sessionId, day }));
  for (let from = 0; from < marked.length; from += marksPerWrite) await insertMarks(store.db, marked.slice(from, from + marksPerWrite)).execute();
}

const withExamples = (result: DayResult, rows: readonly WatchedRow[]): WatchedResult => ({
  ...result,
  sessions: result.logRatio > 0 ? matchSessions(result.detail, rows).slice(0, exampleSessionsMax) : [],
});

/** Everything that an account's own sessions tell. What is written before the evidence is the same if it is written again. */
async function watchOwnSessions(store: Store, place: Place, { nowMs, people, random }: WatchSettings): Promise<boolean> {
  const { rows, calls } = await readDaySample(store, place, random);
  await writeNotices(store, place, { rows, calls }, people);
  await writeMarks(store, place, rows);
  await examineDay(store, place, { rows: calls <= sampledMax ? rows : undefined, nowMs });
  const outcome = await recordDay(store, { ...place, results: checkDay(rows).map((result) => withExamples(result, rows)), nowMs });
  return outcome.kind === "recorded" && outcome.opened !== undefined;
}

/** Compares with the other accounts: after all of them have left their marks of the day. */
async function watchSharedSessions(store: Store, place: Place, { nowMs }: WatchSettings): Promise<boolean> {
  const { count } = await countMarks(store.db, place).executeTakeFirstOrThrow();
  const shared = count === 0 ? [] : await selectSharedMarks(store.db, place).execute();
  const result = checkShared({ tested: count, hits: shared.map(({ mark }) => mark) });
  const sessions = result.logRatio > 0 ? shared.map(({ session_id: sessionId }) => sessionId).slice(0, exampleSessionsMax) : [];
  const outcome = await recordDay(store, { ...place, results: [{ ...result, sessions }], nowMs });
  return outcome.kind === "recorded" && outcome.opened !== undefined;
}

const passes: readonly { check: CheckName; watch: typeof watchOwnSessions }[] = [
  { check: "exact_duplicates", watch: watchOwnSessions },
  { check: "shared_sessions", watch: watchSharedSessions },
];

/**
 * Checks every complete day of every account with calls that the platform pays for, once, whether or not anybody asks:
 * the oldest day first, and each day's accounts before any account of the next one. Safe to interrupt at any point, and
 * to run on two nodes: the evidence of a day is inserted once.
 */
export async function watchSessions(store: Store, settings: WatchSettings): Promise<Watched> {
  const watched: Watched = { days: 0, opened: 0, isMore: false };
  const endMs = startOfDay(settings.nowMs - recordDelayMsMax);
  for (let day = await readCheckedTo(store, settings.nowMs); day < endMs; day += msPerDay) {
    for (const { check, watch } of passes) {
      for (let afterId = "", isMore = true; isMore; ) {
        const accounts = await selectAccountsToWatch(store.db, { day, check, afterId, limit: accountsPerPage }).execute();
        for (const { account_id: accountId } of accounts) {
          if (settings.only?.has(accountId) === false) continue;
          if (settings.isOver()) return { ...watched, isMore: true };
          const startedMs = performance.now();
          if (await watch(store, { accountId, day }, settings)) watched.opened += 1;
          watched.days += 1;
          await sleep(Math.min(restMsMax, performance.now() - startedMs));
        }
        afterId = accounts.at(-1)?.account_id ?? afterId;
        isMore = accounts.length === accountsPerPage;
      }
    }
    // However long the service was away, no day is passed over.
    if (settings.only === undefined) await moveDate(store.db, { name: "sessions_checked_to", at: day + msPerDay }).execute();
  }
  return watched;
}

/**
 * Every day before this one was checked, of every account. Until then nothing of a day is settled, and none of its
 * records deleted: nobody is paid sooner for shortening the retention, or for an outage.
 */
export async function readCheckedTo(store: Store, nowMs: number): Promise<number> {
  const known = await selectDate(store.db, "sessions_checked_to").executeTakeFirst();
  if (known) return known.at;
  const first = await selectFirstUncheckedDay(store.db, passes.map(({ check }) => check)).executeTakeFirstOrThrow();
  return first.day ?? startOfDay(nowMs - recordDelayMsMax);
}
