import { nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./budgets.table.ts";

const campaignId = "camp_sample";

export const samples = {
  lockCampaigns: [["camp_sample"]],
  selectSpentOnDays: [{ campaignIds: ["camp_sample"], days: [nowMs] }],
  spendOfCampaign: [{ campaignId: "camp_sample", microUsd: 250_000 }],
  spendOnDay: [{ campaignId: "camp_sample", day: nowMs, microUsd: 250_000 }],
  refundCampaign: [{ campaignId, microUsd: 250_000 }],
  refundDay: [{ campaignId, atMs: nowMs, microUsd: 250_000 }],
  selectSpendingOf: [{ campaignId, day: nowMs }],
  selectSpending: [{ afterId: "", day: nowMs, limit: 2_500 }],
} satisfies SamplesOf<typeof table>;
