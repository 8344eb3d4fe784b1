import { nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./throttles.table.ts";

const throttle = { subject: "hash", tries: 1, since: nowMs, blocked_until: 0, updated_at: nowMs };

export const samples = {
  selectThrottle: ["hash"],
  insertThrottle: [throttle],
  replaceThrottle: [{ before: throttle, after: { ...throttle, tries: 2 } }],
  deleteThrottles: [["hash"]],
  selectThrottlesBefore: [{ are: "attempts", fromMs: 0, beforeMs: nowMs, limit: 2_000 }],
  deleteThrottlesBefore: [{ subjects: ["hash"], beforeMs: nowMs }],
} satisfies SamplesOf<typeof table>;
