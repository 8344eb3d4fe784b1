import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./closures.table.ts";

export const samples = {
  upsertClosure: [{ accountId, forfeited: false, nowMs }],
  selectErasable: [100],
  markErased: [{ accountId, nowMs }],
} satisfies SamplesOf<typeof table>;
