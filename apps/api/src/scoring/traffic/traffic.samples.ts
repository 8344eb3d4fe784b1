import { accountId, nowMs, span, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./traffic.table.ts";

export const samples = {
  selectHours: [{ ...span, limit: 48 }],
  selectSomeHours: [{ accountId, hours: [nowMs] }],
  insertHours: [[{ account_id: accountId, hour: nowMs, summary: "{}" }]],
  selectHoursToSum: [span],
  deleteHoursBefore: [{ hourMs: nowMs, limit: 1_000 }],
} satisfies SamplesOf<typeof table>;
