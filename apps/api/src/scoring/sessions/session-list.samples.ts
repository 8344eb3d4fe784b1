import { accountId, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./session-list.table.ts";

export const samples = {
  selectSessions: [
    { accountId, fromId: "sess_1", toId: "sess_2", scan: 5_000, limit: 50, filter: { mode: "live", scores: { from: 70, to: 1_000 }, outcome: "bot" } },
  ],
  selectScanEnd: [{ accountId, fromId: "sess_1", toId: "sess_2", scan: 5_000 }],
  selectOutcomes: [{ accountId, sessionId: "sess_sample", limit: 20 }],
  selectReceipt: [{ accountId, sessionId: "sess_sample" }],
} satisfies SamplesOf<typeof table>;
