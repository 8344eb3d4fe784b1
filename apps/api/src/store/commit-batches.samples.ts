import { nowMs, type SamplesOf } from "./sql-samples.ts";
import type * as table from "./commit-batches.table.ts";

export const samples = {
  deleteBatchesBefore: [{ atMs: nowMs, limit: 2_000 }],
} satisfies SamplesOf<typeof table>;
