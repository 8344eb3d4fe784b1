import { type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./operator.table.ts";

export const samples = {
  selectOperatedAccounts: [{ search: "ada", afterId: "", limit: 100, isAskingForTier: true }],
} satisfies SamplesOf<typeof table>;
