import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./sessions.table.ts";

export const samples = {
  selectSession: [{ accountId, sessionId: "sess_sample" }],
  insertOutcome: [{ accountId, sessionId: "sess_sample", outcome: "genuine", nowMs }],
  selectLatestOutcomes: [{ accountId, mode: "live", limit: 2_000, before: { at: nowMs, session_id: "sess_sample", seq: 1 }, fromMs: nowMs, toMs: nowMs }],
  selectAccountsWithOutcomes: [{ afterId: "", fromMs: nowMs, limit: 200 }],
  selectLatestSession: [accountId],
  selectAnyOutcome: [accountId],
  deleteSessionsOfAccount: [{ accountId, beforeId: "sess_sample", limit: 1_000 }],
  deleteOutcomesOfAccount: [{ accountId, beforeId: "sess_sample", limit: 1_000 }],
  deleteRecordsBefore: [{ id: "sess_sample", limit: 1_000 }],
  deleteOutcomesBefore: [{ id: "sess_sample", limit: 1_000 }],
  selectSessionScore: [{ accountId, sessionId: "sess_sample" }],
  selectScoredSessions: [{ accountId, afterId: "sess_1", toId: "sess_2", limit: 1_000 }],
  selectSessionBeyond: [{ accountId, afterId: "sess_1", toId: "sess_2", count: 20_000 }],
  selectLatestSessions: [{ accountId, fromId: "sess_1", toId: "sess_2", limit: 2_000 }],
} satisfies SamplesOf<typeof table>;
