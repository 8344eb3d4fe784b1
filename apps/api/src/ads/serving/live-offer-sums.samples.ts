import { nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./live-offer-sums.table.ts";

export const samples = {
  upsertSums: [{ node_id: "node_sample", at: nowMs, sums: "{}" }],
  selectSumsOfOthers: [{ nodeId: "node_sample", sinceMs: nowMs, limit: 1_000 }],
  deleteSumsBefore: [nowMs],
} satisfies SamplesOf<typeof table>;
