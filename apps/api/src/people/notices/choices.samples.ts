import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./choices.table.ts";

export const samples = {
  selectChoices: [[accountId]],
  putChoice: [{ account_id: accountId, topic: "limits", wanted: 1, changed_at: nowMs }],
  deleteChoices: [accountId],
} satisfies SamplesOf<typeof table>;
