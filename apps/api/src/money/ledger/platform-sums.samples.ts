import { span, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./platform-sums.table.ts";

export const samples = {
  sumAllMovements: [span],
  sumFunding: [],
  sumAllCalls: [span],
  sumPendingClicks: [],
} satisfies SamplesOf<typeof table>;
