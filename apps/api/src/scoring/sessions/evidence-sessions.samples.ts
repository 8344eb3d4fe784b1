import { accountId, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./evidence-sessions.table.ts";

const page = { accountId, afterId: "sess_1", toId: "sess_2", limit: 2_000 };

export const samples = {
  selectBilledSessions: [page],
  selectBilledSignals: [page],
  selectEvidenceSessions: [page],
  copyEvidence: [page],
  selectEvidencePageEnd: [page],
  selectEvidenceSpans: [{ afterId: "", limit: 500 }],
  deleteEvidenceSessions: [{ accountId, beforeId: "sess_2", limit: 2_000 }],
} satisfies SamplesOf<typeof table>;
