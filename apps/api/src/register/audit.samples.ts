import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./audit.table.ts";

const campaignId = "camp_sample";

export const samples = {
  noteAction: [{ actorAccountId: accountId, action: "campaign.pause", subject: campaignId, detail: {}, nowMs }],
  selectActions: [{ beforeId: "act_sample", limit: 100 }],
} satisfies SamplesOf<typeof table>;
