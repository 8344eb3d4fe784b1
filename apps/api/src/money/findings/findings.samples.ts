import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./findings.table.ts";

export const samples = {
  openFinding: [
    { id: "find_sample", account_id: accountId, code: "clicks_too_regular", detail: "", opened_at: nowMs, closed_at: null, resolution: null },
  ],
  closeFinding: [{ findingId: "find_sample", resolution: "cleared", nowMs }],
  selectFindings: [{ accountId, limit: 500 }],
  selectFindingsOpenAt: [{ accountId, atMs: nowMs }],
} satisfies SamplesOf<typeof table>;
