import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./log.table.ts";

const named = { audience: accountId, endpointId: "wh_sample", eventId: "evt_sample" };

export const samples = {
  selectDeliveries: [{ audience: accountId, fromMs: nowMs, filter: { endpointId: "wh_sample", state: "failed" }, before: named, limit: 50 }],
  selectDelivery: [named],
  selectAttempts: [{ ...named, limit: 50 }],
} satisfies SamplesOf<typeof table>;
