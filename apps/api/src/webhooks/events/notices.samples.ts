import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./notices.table.ts";

export const samples = {
  selectUnnoticed: [{ afterAudience: "", laterMs: nowMs, soonerMs: nowMs, soonerTypes: ["payee.changed", "key.created"], limit: 200 }],
  selectNoticeCursor: [accountId],
  lockNoticeCursor: [accountId],
  selectUnnoticedEvents: [{ audience: accountId, afterSequence: 7, limit: 500 }],
  advanceNoticeCursor: [{ audience: accountId, toSequence: 8, mailedMs: nowMs }],
} satisfies SamplesOf<typeof table>;
