import { settleClicks } from "../settlement/settle-clicks.ts";
import { watchClicks } from "../settlement/watch-clicks.ts";
import type { Store } from "../store/store.ts";
import type { Job } from "./run-jobs.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** What is done once for all nodes. What each node does for itself is in start-upkeep.ts. */
export function listJobs(store: Store, settings: { clickHoldDays: number; random: () => number }): Job[] {
  const { clickHoldDays: holdDays, random } = settings;
  return [
    {
      name: "settle_clicks",
      everyMs: 10 * minuteMs,
      run: async (nowMs) => `${await settleClicks(store, { nowMs, holdDays })} clicks confirmed`,
    },
    {
      // Once a day: its promise about false alarms is per run.
      name: "watch_clicks",
      everyMs: dayMs,
      run: async (nowMs) => `${await watchClicks(store, { nowMs, random })} findings opened`,
    },
  ];
}
