import type * as table from "./migrate.table.ts";
import type { SamplesOf } from "./sql-samples.ts";

export const samples = {
  listAppliedMigrations: [],
} satisfies SamplesOf<typeof table>;
