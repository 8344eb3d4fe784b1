import { accountId, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./unsettled.table.ts";

export const samples = { selectUnsettled: [accountId] } satisfies SamplesOf<typeof table>;
