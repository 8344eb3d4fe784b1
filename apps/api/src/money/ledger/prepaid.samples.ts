import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./prepaid.table.ts";

export const samples = {
  sumPrepaid: [{ accountId, beforeMs: nowMs }],
  selectAnyDeveloperCall: [],
  selectLowBalances: [{ belowMicroUsd: 5_000_000, afterId: "", limit: 200 }],
  selectAccountsBeforePrepaid: [{ afterId: "", limit: 200 }],
  selectHeadsToConfirm: [{ afterId: "", limit: 200 }],
  sumShares: [{ accountId, afterSeq: 1, beforeMs: nowMs, limit: 100_000 }],
  confirmShares: [{ accountId, fromSeq: 1, toSeq: 2, microUsd: 34_000 }],
} satisfies SamplesOf<typeof table>;
