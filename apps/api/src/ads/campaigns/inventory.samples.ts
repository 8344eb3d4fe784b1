import { nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./inventory.table.ts";

const campaignId = "camp_sample";

export const samples = {
  selectInventoryEpoch: [],
  raiseInventoryEpoch: [],
  selectActiveCampaigns: [{ afterId: "", nowMs, limit: 500 }],
  selectApprovedCreatives: [{ afterId: "", upToId: campaignId }],
  selectServedImages: [{ afterId: "", upToId: campaignId }],
  selectClickRates: [{ after: { creativeId: "", placement: "", category: "" }, limit: 5_000 }],
} satisfies SamplesOf<typeof table>;
