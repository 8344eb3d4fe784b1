import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./statement-mails.table.ts";

export const samples = {
  selectAccountsToMail: [{ month: "2026-01", fromMs: nowMs, toMs: nowMs, afterId: "", limit: 200 }],
  insertStatementMail: [{ account_id: accountId, month: "2026-01", queued_at: nowMs }],
} satisfies SamplesOf<typeof table>;
