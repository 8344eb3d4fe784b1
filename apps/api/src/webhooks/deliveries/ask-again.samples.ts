import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./ask-again.table.ts";

const named = { audience: accountId, endpointId: "wh_sample" };
const replayed = { ...named, fromMs: nowMs, types: ["payout.paid", "hold.opened"], throughSequence: 17 };

export const samples = {
  countTestsOfAudience: [{ audience: accountId, fromMs: nowMs }],
  countTestsOfEndpoint: [{ ...named, fromMs: nowMs }],
  insertDelivery: [{ endpointId: "wh_sample", eventId: "evt_sample", nowMs }],
  askAgain: [{ ...named, eventId: "evt_sample", fromMs: nowMs, attemptsMax: 100, nowMs }],
  selectReplayed: [{ ...replayed, limit: 10_001 }],
  askAgainForMany: [{ ...replayed, attemptsMax: 100, nowMs }],
  insertMissing: [{ ...replayed, nowMs }],
  deleteDeliveriesOfEndpoint: ["wh_sample"],
  deleteAttemptsOfEndpoint: ["wh_sample"],
} satisfies SamplesOf<typeof table>;
