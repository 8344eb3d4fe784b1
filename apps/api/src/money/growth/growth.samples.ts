import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./growth.table.ts";

export const samples = {
  sumSettledCalls: [{ accountIds: [accountId], monthEndMs: nowMs }],
  sumReversedCalls: [{ accountIds: [accountId], monthEndMs: nowMs }],
  sumUnexaminedCalls: [{ accountIds: [accountId], monthEndMs: nowMs }],
  sumConfirmedClicks: [{ accountIds: [accountId], monthEndMs: nowMs }],
  insertReview: [{ accountId, monthlyMicroUsd: 2_000_000_000, reason: "A known shop.", reviewedBy: accountId, nowMs }],
  countOpenFindings: [[accountId]],
  selectReviews: [[accountId]],
  selectNewestReviews: [{ limit: 500 }],
} satisfies SamplesOf<typeof table>;
