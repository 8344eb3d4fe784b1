import type { TrafficReply } from "@assay/contract/traffic.ts";
import type { Store } from "../../store/store.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { describeSummary } from "./describe-summary.ts";
import { type CheckedRow, findIrregularities, type People } from "./find-irregularities.ts";
import { summariseWindow, type Window } from "./summarise-window.ts";
import { selectLatestSessions } from "../sessions/sessions.table.ts";
import { msPerDay } from "../../formats/time.ts";

export const trafficSpan = { daysDefault: 7, daysMax: 92 };
/** Read for one answer at most, beside stored sums of hours; a longer history is summed up over several. */
const rowsMax = 400_000;
/** The newest sessions of the window, which the checks look at one by one. */
const checkedRowsMax = 20_000;
const rowsPerPage = 2_000;

/** The newest live sessions of the window, in the order of time. */
async function readLatest(store: Store, window: Window): Promise<CheckedRow[]> {
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

/** An account's live traffic over a window: how it scored, how it did before, and what looks odd about it. */
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
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    ...describeSummary(present.summary),
    previous: describeSummary(before.summary),
    findings: await findIrregularities(latest, people),
    complete: present.complete && before.complete,
  };
}
