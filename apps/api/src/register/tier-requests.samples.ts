import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./tier-requests.table.ts";

export const samples = {
  selectPendingTierRequest: [accountId],
  selectUndecidedTierRequests: [{ accountId, sinceMs: nowMs }],
  withdrawTierRequest: [{ accountId, nowMs }],
  insertTierRequest: [{ id: "tierreq_sample", account_id: accountId, tier: "Growth", state: "pending", requested_at: nowMs, decided_at: null }],
  selectTierRequest: ["treq_sample"],
  decideTierRequest: [{ requestId: "treq_sample", state: "applied", nowMs }],
} satisfies SamplesOf<typeof table>;
