import type * as table from "./commit-batches.table.ts";
import { nowMs, type SamplesOf } from "./sql-samples.ts";

export const samples = {
  deleteBatchesBefore: [{ atMs: nowMs, limit: 2_000 }],
} satisfies SamplesOf<typeof table>;
