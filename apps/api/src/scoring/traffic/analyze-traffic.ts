import type { TrafficReply } from "@assay/contract/traffic.ts";
import { isoTime, msPerDay } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { selectLatestSessions } from "../sessions/sessions.table.ts";
import { describeSummary } from "./describe-summary.ts";
import { type CheckedRow, findIrregularities, type People } from "./find-irregularities.ts";
import { summariseWindow, type Window } from "./summarise-window.ts";

export const trafficSpan = { daysDefault: 7, daysMax: 92 };
/** Records read per answer, beside the hourly summaries; a longer history is summarised over several calls. */
const rowsMax = 400_000;
/** The newest sessions of the window, which the checks examine. */
const checkedRowsMax = 20_000;
const rowsPerPage = 2_000;

/** The newest live sessions of the window, oldest first. */
export async function readLatest(store: Store, window: Window): Promise<CheckedRow[]> {
  const range = { accountId: window.accountId, fromId: lowestIdAt("sess", window.fromMs) };
  const rows: CheckedRow[] = [];
  let toId = lowestIdAt("sess", window.toMs);
  for (let read = 0; read < checkedRowsMax; ) {
    const page = await selectLatestSessions(store.db, { ...range, toId, limit: rowsPerPage }).execute();
    for (const row of page) if (row.mode === "live") rows.push(row);
    read += page.length;
    if (page.length < rowsPerPage) break;
    toId = page.at(-1)!.id;
  }
  return rows.toReversed();
}

export type AnalyzeSettings = { nowMs: number; retentionDays: number; people: People };

/** Summarises an account's live traffic in a window and in the one before it, and checks it for irregularities. */
export async function analyzeTraffic(
  store: Store,
  window: Window,
  { nowMs, retentionDays, people }: AnalyzeSettings,
): Promise<Omit<TrafficReply, "analysis_id" | "revenue_attribution" | "processing_time_ms">> {
  const settings = { nowMs, retainedFromMs: nowMs - retentionDays * msPerDay, budget: { rowsLeft: rowsMax } };
  const { fromMs, toMs } = window;
  const present = await summariseWindow(store, window, settings);
  const before = await summariseWindow(store, { ...window, fromMs: fromMs - (toMs - fromMs), toMs: fromMs }, settings);
  const latest = await readLatest(store, { ...window, fromMs: Math.max(fromMs, settings.retainedFromMs) });
  return {
    from: isoTime(fromMs),
    to: isoTime(toMs),
    ...describeSummary(present.summary),
    previous: describeSummary(before.summary),
    findings: await findIrregularities(latest, people),
    complete: present.complete && before.complete,
  };
}
