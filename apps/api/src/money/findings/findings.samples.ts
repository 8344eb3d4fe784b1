import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./findings.table.ts";

const findingId = "find_sample";

export const samples = {
  openFinding: [
    {
      id: findingId,
      account_id: accountId,
      code: "exact_duplicates",
      detail: "",
      statistic: 1_200,
      threshold: 1_000,
      days: '["2026-01-01"]',
      sessions: "[]",
      opened_at: nowMs,
      opened_by: null,
      closed_at: null,
      resolution: null,
    },
  ],
  closeFinding: [{ findingId, decision: "accepted", decidedBy: accountId, resolution: "Accepted.", nowMs }],
  reopenFinding: [{ findingId, nowMs }],
  answerFinding: [{ findingId, accountId, text: "A school class.", nowMs }],
  extendFinding: [{ findingId, days: '["2026-01-01","2026-01-02"]', sessions: "[]" }],
  selectFinding: [findingId],
  selectFindings: [{ accountId, limit: 500 }],
  selectFindingsOpenAt: [{ accountId, atMs: nowMs }],
  selectOpenFindings: [accountId],
  selectLastDecision: [accountId],
  selectOverdue: [{ beforeMs: nowMs }],
  selectUnalerted: [{ beforeMs: nowMs, limit: 100 }],
  markAlerted: [{ findingId, nowMs }],
  selectAccountsUnderFinding: [{ afterId: "", limit: 500 }],
  eraseAnswers: [accountId],
} satisfies SamplesOf<typeof table>;
