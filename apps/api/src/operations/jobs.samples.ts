import { nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./jobs.table.ts";

export const samples = {
  registerJob: [{ name: "settle_clicks", nowMs }],
  claimJob: [{ name: "settle_clicks", lease: "lease", holder: "node:1", nowMs, untilMs: nowMs, latestRunMs: nowMs, latestLeaseMs: nowMs }],
  renewJob: [{ name: "settle_clicks", lease: "lease", untilMs: nowMs }],
  finishJob: [{ name: "settle_clicks", lease: "lease", startedMs: nowMs, endedMs: nowMs, durationMs: 5, nextMs: nowMs, result: "done", failures: 0 }],
  selectJobs: [],
} satisfies SamplesOf<typeof table>;
