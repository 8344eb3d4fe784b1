import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./integrity.table.ts";

export const samples = {
  selectAccountsToWatch: [{ day: nowMs, check: "exact_duplicates", afterId: "", limit: 500 }],
  selectFirstUncheckedDay: [["exact_duplicates", "shared_sessions"]],
  insertMarks: [[{ mark: 8, account_id: accountId, session_id: "sess_sample", day: nowMs }]],
  countMarks: [{ accountId, day: nowMs }],
  selectSharedMarks: [{ accountId, day: nowMs }],
  deleteMarksBefore: [{ day: nowMs, limit: 2_000 }],
} satisfies SamplesOf<typeof table>;
