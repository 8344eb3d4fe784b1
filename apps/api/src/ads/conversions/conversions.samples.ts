import { nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./conversions.table.ts";

export const samples = {
  selectClickOfCampaign: [{ offerId: "ad_sample", campaignId: "camp_sample" }],
  insertConversion: [{ offer_id: "ad_sample", at: nowMs }],
} satisfies SamplesOf<typeof table>;
