import { msPerHour, msPerMinute, type Span, startOfHour } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import type { SessionHourRow } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { selectLatestSessions } from "../sessions/sessions.table.ts";
import { addSession, addSummary, emptySummary, readSummary, type SessionSummary, writeSummary } from "./session-summary.ts";
import { insertHours, selectHours } from "./traffic.table.ts";

/** A call's record is written seconds after its id is made; after this long every node's records are stored. */
const recordDelayMsMax = 5 * msPerMinute;
/** Few enough that no call waits long behind one page. */
const rowsPerPage = 2_000;
const hoursPerPage = 12;
const hoursPerWrite = 100;

export type Window = Span & { accountId: string };
/** Shared by everything that one request reads. */
export type RowBudget = { rowsLeft: number };
export type ReadSettings = { nowMs: number; retainedFromMs: number; budget: RowBudget };

/** The end of the last hour that no session can be added to. */
export const completeHoursEndMs = (nowMs: number): number => startOfHour(nowMs - recordDelayMsMax);

type SummedHour = { hourMs: number; summary: SessionSummary; isWhole: boolean };

/**
 * Reads the live sessions of a window, newest first, and passes the summary of each hour that had any to `onHour`. False
 * when the budget ran out: the hour at which it did is passed too, with `isWhole` false.
 */
async function readHours(store: Store, window: Window, reading: { budget: RowBudget; onHour: (hour: SummedHour) => void }): Promise<boolean> {
  const { budget, onHour } = reading;
  const range = { accountId: window.accountId, fromId: lowestIdAt("sess", window.fromMs) };
  let hourMs = startOfHour(window.toMs);
  let hourStartId = lowestIdAt("sess", hourMs);
  let summary = emptySummary();
  let toId = lowestIdAt("sess", window.toMs);
  for (;;) {
    const limit = Math.min(rowsPerPage, budget.rowsLeft);
    const rows = limit === 0 ? [] : await selectLatestSessions(store.db, { ...range, toId, limit }).execute();
    budget.rowsLeft -= rows.length;
    for (const row of rows) {
      if (row.id < hourStartId) {
        if (summary.sessions > 0) onHour({ hourMs, summary, isWhole: true });
        summary = emptySummary();
        for (; row.id < hourStartId; hourStartId = lowestIdAt("sess", hourMs)) hourMs -= msPerHour;
      }
      if (row.mode === "live") addSession(summary, row);
    }
    const isEnd = rows.length < rowsPerPage && budget.rowsLeft > 0;
    if (isEnd || budget.rowsLeft === 0) {
      if (summary.sessions > 0) onHour({ hourMs, summary, isWhole: isEnd });
      return isEnd;
    }
    toId = rows.at(-1)!.id;
  }
}

/** Adds the stored hours to `total` and returns the spans that are not stored. */
async function readStored(store: Store, window: Window, total: SessionSummary): Promise<Span[]> {
  const missing: Span[] = [];
  let nextMs = window.fromMs;
  const noteMissing = (untilMs: number) => {
    if (untilMs > nextMs) missing.push({ fromMs: nextMs, toMs: untilMs });
    nextMs = untilMs + msPerHour;
  };
  for (let isMore = true; isMore; ) {
    const hours = await selectHours(store.db, { ...window, fromMs: nextMs, limit: hoursPerPage }).execute();
    for (const { hour, summary } of hours) {
      addSummary(total, readSummary(summary));
      noteMissing(hour);
    }
    isMore = hours.length === hoursPerPage;
  }
  noteMissing(window.toMs);
  return missing;
}

async function storeHours(store: Store, hours: readonly SessionHourRow[]): Promise<void> {
  for (let from = 0; from < hours.length; from += hoursPerWrite) {
    await insertHours(store.db, hours.slice(from, from + hoursPerWrite)).execute();
  }
}

/** Summarises complete hours that are not stored, stores them and adds them to `total`. */
async function sumMissingHours(store: Store, window: Window, settings: ReadSettings & { total: SessionSummary }): Promise<boolean> {
  // An hour that retention has begun to delete is counted, but not stored.
  const fromMs = Math.max(window.fromMs, settings.retainedFromMs);
  if (fromMs >= window.toMs) return true;
  const rows: SessionHourRow[] = [];
  const isComplete = await readHours(store, { ...window, fromMs }, {
    budget: settings.budget,
    onHour({ hourMs, summary, isWhole }) {
      addSummary(settings.total, summary);
      if (isWhole && hourMs >= fromMs) rows.push({ account_id: window.accountId, hour: hourMs, summary: writeSummary(summary) });
    },
  });
  await storeHours(store, rows);
  return isComplete;
}

/**
 * Summarises the live sessions of a window from the stored summaries of whole hours, and from the records at its edges.
 * Whole hours read for the first time are stored. When the budget runs out, the result is incomplete: the newest hours
 * are included, older ones may not be.
 */
export async function summariseWindow(store: Store, window: Window, settings: ReadSettings): Promise<{ summary: SessionSummary; complete: boolean }> {
  const summary = emptySummary();
  const wholeFromMs = Math.ceil(window.fromMs / msPerHour) * msPerHour;
  const wholeToMs = Math.min(startOfHour(window.toMs), completeHoursEndMs(settings.nowMs));
  const hasWhole = wholeFromMs < wholeToMs;
  const edges: Span[] = hasWhole
    ? [{ fromMs: wholeToMs, toMs: window.toMs }, { fromMs: window.fromMs, toMs: wholeFromMs }]
    : [{ fromMs: window.fromMs, toMs: window.toMs }];
  let complete = true;
  for (const { fromMs, toMs } of edges) {
    const retained = { ...window, fromMs: Math.max(fromMs, settings.retainedFromMs), toMs };
    if (retained.fromMs >= toMs) continue;
    const onHour = (hour: { summary: SessionSummary }) => addSummary(summary, hour.summary);
    complete = (await readHours(store, retained, { budget: settings.budget, onHour })) && complete;
  }
  if (!hasWhole) return { summary, complete };
  const missing = await readStored(store, { ...window, fromMs: wholeFromMs, toMs: wholeToMs }, summary);
  for (const span of missing.toReversed()) {
    complete = (await sumMissingHours(store, { ...window, ...span }, { ...settings, total: summary })) && complete;
  }
  return { summary, complete };
}
