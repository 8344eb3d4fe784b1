import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./closures.table.ts";

export const samples = {
  upsertClosure: [{ accountId, forfeited: false, nowMs }],
  selectClosure: [accountId],
  selectErasable: [{ afterId: "", limit: 100 }],
  selectLeftovers: [{ afterId: "", limit: 100 }],
  markErased: [{ accountId, nowMs }],
} satisfies SamplesOf<typeof table>;
