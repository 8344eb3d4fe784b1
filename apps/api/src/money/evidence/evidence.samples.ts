import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./evidence.table.ts";

const figures = { tested: 1_000, hits: 990, detail: "{}", log_factor: 5, ordinal: 1, log_started: 4.3, log_evidence: 4.4, at: nowMs };

export const samples = {
  insertEvidence: [[{ account_id: accountId, check_name: "exact_duplicates", day: nowMs, ...figures }]],
  selectLatestEvidence: [accountId],
  selectEvidenceOfCheck: [{ accountId, check: "exact_duplicates", limit: 400 }],
  selectEvidenceFrom: [{ accountId, fromDay: nowMs }],
  selectAccountsWithEvidence: [{ check: "click_rate", day: nowMs }],
  deleteEvidenceBefore: [{ day: nowMs, limit: 2_000 }],
  insertNotices: [[{ account_id: accountId, code: "surge", day: nowMs, statistic: 4, message: "" }]],
  selectNotices: [{ accountId, limit: 100 }],
  deleteNoticesBefore: [{ day: nowMs, limit: 2_000 }],
} satisfies SamplesOf<typeof table>;
