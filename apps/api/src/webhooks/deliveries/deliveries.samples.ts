import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./deliveries.table.ts";

const key = { endpointId: "wh_sample", eventId: "evt_sample" };
const marked = { ...key, lease: "lease", status: 500, error: null, nowMs };

export const samples = {
  selectNextDue: [],
  selectDueEndpoints: [{ isFailing: false, taken: { endpointIds: ["wh_full"], audiences: ["acct_full"] }, nowMs, limit: 64 }],
  selectDueDeliveries: [{ shares: [{ endpointId: "wh_one", places: 2 }, { endpointId: "wh_two", places: 1 }], nowMs }],
  claimDeliveries: [{ keys: [key], lease: "lease", nowMs, untilMs: nowMs + 40_000 }],
  selectClaimed: [{ keys: [key], lease: "lease" }],
  insertAttempt: [
    { endpoint_id: "wh_sample", event_id: "evt_sample", attempt: 1, at: nowMs, duration_ms: 80, url: "https://example.com/", signature: "v1,sample", status: 500, error: null, response: "" },
  ],
  markDelivered: [marked],
  markUndelivered: [{ ...marked, nextMs: nowMs + 5_000 }],
  failPending: [{ endpointId: "wh_sample", error: "endpoint_disabled", nowMs }],
  countPending: [10_000],
  selectOldestDue: [],
  deleteDeliveriesBefore: [{ eventId: "evt_0", limit: 2_000 }],
  deleteAttemptsBefore: [{ atMs: nowMs, limit: 2_000 }],
  deleteDeliveriesOfAudience: [accountId],
  deleteAttemptsOfAudience: [accountId],
} satisfies SamplesOf<typeof table>;
