import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./audit.table.ts";

export const samples = {
  noteAction: [{ actorAccountId: accountId, action: "campaign.pause", subject: "camp_sample", detail: {}, nowMs }],
  noteActions: [[{ actorAccountId: accountId, action: "payout.approved", subject: "po_sample", accountId, detail: {}, nowMs }]],
  selectActions: [{ actorAccountId: accountId, accountId, action: "payout.", fromMs: nowMs, toMs: nowMs, beforeId: "act_sample", limit: 100 }],
  selectChainEnd: [],
  selectAuditHead: [],
  selectChainedActions: [{ afterSeq: 2_000, limit: 2_000 }],
} satisfies SamplesOf<typeof table>;
