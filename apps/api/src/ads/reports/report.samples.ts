import { accountId, nowMs, span, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./report.table.ts";

const campaignId = "camp_sample";
const hour = { fromMs: nowMs, toMs: nowMs + 3_600_000 };

export const samples = {
  sumAdsByTime: [{ of: { accountId }, ...hour, bucketMs: 3_600_000 }],
  sumAdsByTrust: [{ of: { campaignId }, ...hour }],
  sumAdsByPlacement: [{ of: { campaignId }, ...hour }],
  sumIgnoredClicks: [{ of: { campaignId }, ...hour, bucketMs: 3_600_000 }],
  sumNoFills: [{ ...span, bucketMs: 3_600_000 }],
  sumAdsOfCampaigns: [[campaignId]],
  sumIgnoredOfCampaigns: [[campaignId]],
  sumOriginsOfCampaigns: [[campaignId]],
  countRecentOffers: [{ campaignId, fromMs: nowMs }],
} satisfies SamplesOf<typeof table>;
