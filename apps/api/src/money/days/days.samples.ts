import { accountId, nowMs, type SamplesOf, span } from "../../store/sql-samples.ts";
import type * as table from "./days.table.ts";

const sessions = { accountId, sessionIds: ["sess_sample"] };

export const samples = {
  selectSettlement: [accountId],
  moveSettlement: [{ accountId, confirmedToMs: nowMs }],
  selectAccountsToSettle: [{ toMs: nowMs, afterId: "", limit: 200 }],
  sumPendingCalls: [{ accountId }],
  selectCallDays: [span],
  putCallDay: [
    {
      account_id: accountId,
      day: nowMs,
      state: "confirmed",
      calls: 100,
      gross_micro: 5_000_000,
      developer_micro: 3_400_000,
      reversed_calls: 1,
      reversed_gross_micro: 50_000,
      reversed_developer_micro: 34_000,
      reversals: 1,
      settled_at: nowMs,
    },
  ],
  changeSettledDay: [
    {
      account_id: accountId,
      day: nowMs,
      state: "confirmed",
      calls: 100,
      gross_micro: 5_000_000,
      developer_micro: 3_400_000,
      reversed_calls: 1,
      reversed_gross_micro: 50_000,
      reversed_developer_micro: 34_000,
      reversals: 1,
      settled_at: nowMs,
    },
  ],
  insertCallReversals: [
    [
      {
        account_id: accountId,
        ledger_seq: 101,
        ref: "day:2026-01-01#1",
        day: nowMs,
        share_bps: 6_800,
        calls: 1,
        gross_micro: 50_000,
        developer_micro: 34_000,
        reason: "Made by a script.",
        finding_id: null,
        actor_account_id: accountId,
        at: nowMs,
      },
    ],
  ],
  sumReversalsOfDay: [{ accountId, day: nowMs }],
  sumReversalsByDay: [{ ...span, beforeMs: nowMs }],
  selectReversalsIn: [{ accountId, fromSeq: 1, toSeq: 9, limit: 500 }],
  selectReversalsOfDays: [{ accountId, fromMs: nowMs }],
  insertReversedCalls: [[{ account_id: accountId, session_id: "sess_sample", ref: "day:2026-01-01#1" }]],
  selectReversedCalls: [sessions],
  selectSeqsOfSessions: [sessions],
  selectSignalsOfSessions: [sessions],
  selectSeqsOfVector: [{ accountId, fromId: "sess_0", toId: "sess_1", vector: [0.7, 125, 0.8, 12, null, 0], limit: 500 }],
  selectSettlementOfCall: [{ accountId, sessionId: "sess_sample", wholeDayRef: "day:2026-01-01" }],
  selectNewestDays: [{ accountId, limit: 62 }],
} satisfies SamplesOf<typeof table>;
