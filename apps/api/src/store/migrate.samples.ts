import { type SamplesOf } from "./sql-samples.ts";
import type * as table from "./migrate.table.ts";

export const samples = {
  listAppliedMigrations: [],
} satisfies SamplesOf<typeof table>;
