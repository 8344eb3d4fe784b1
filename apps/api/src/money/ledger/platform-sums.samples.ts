import { span, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./platform-sums.table.ts";

export const samples = {
  sumAllMovements: [{ demo: false }, span],
  sumFunding: [{ demo: false }],
  sumAllCalls: [{ demo: false }, span],
  sumPendingClicks: [{ demo: false }],
} satisfies SamplesOf<typeof table>;
