import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./events.table.ts";

const event = { id: "evt_sample", audience: accountId, type: "payout.paid", nowMs };

export const samples = {
  advanceHead: [accountId],
  lockHead: [accountId],
  insertEvent: [{ ...event, data: "{}", onceKey: null }],
  insertDeliveries: [event],
  selectOnce: [{ audience: accountId, onceKey: "limit.near:hour:2026-01-01T00" }],
  deleteEventsBefore: [{ id: "evt_0", limit: 2_000 }],
  deleteEventsOfAudience: [accountId],
  deleteHeadOfAudience: [accountId],
} satisfies SamplesOf<typeof table>;
