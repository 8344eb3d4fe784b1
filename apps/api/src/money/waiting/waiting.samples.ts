import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./waiting.table.ts";

const waitingId = "wait_sample";
const row = { id: waitingId, account_id: accountId, day: nowMs, reason: "unexamined" as const, items: 3, developer_micro: 102_000, detail: "{}", at: nowMs };
const span = { accountId, fromMs: nowMs, toMs: nowMs + 1 };
const sums = { accountIds: [accountId], monthEndMs: nowMs };

export const samples = {
  insertWaiting: [row],
  selectWaiting: [waitingId],
  selectWaitingOfAccount: [{ accountId, limit: 100 }],
  selectUndecided: [{ limit: 500 }],
  selectGivenUp: [{ limit: 100 }],
  selectWaitingCallsOfDays: [span],
  reduceWaiting: [{ waitingId, items: 2, developerMicroUsd: 68_000 }],
  stateWaiting: [{ waitingId, accountId, text: "A load test.", nowMs }],
  eraseStatements: [accountId],
  decideWaiting: [{ waitingId, decision: "settled", resolution: "A load test.", decidedBy: accountId, nowMs }],
  sumWaitingCalls: [sums],
  sumWaitingClicks: [sums],
  selectClickOrders: [span],
  markWaiting: [{ offerIds: ["ad_sample"], waitingId }],
  unmarkWaiting: [waitingId],
  selectWaitingClicks: [waitingId],
  putAllowance: [{ account_id: accountId, reason: "unexamined", daily_micro: 5_000_000, note: "A known shop.", set_by: accountId, set_at: nowMs }],
  selectAllowances: [[accountId]],
} satisfies SamplesOf<typeof table>;
