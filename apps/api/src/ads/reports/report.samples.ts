import { accountId, nowMs, span, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./report.table.ts";

const campaignId = "camp_sample";

export const samples = {
  sumAdsByTime: [{ of: { accountId }, fromMs: nowMs, toMs: nowMs + 3_600_000, bucketMs: 3_600_000 }],
  sumAdsByTrust: [{ of: { campaignId }, fromMs: nowMs, toMs: nowMs + 3_600_000 }],
  sumAdsByPlacement: [{ of: { campaignId }, fromMs: nowMs, toMs: nowMs + 3_600_000 }],
  sumIgnoredClicks: [{ of: { campaignId }, fromMs: nowMs, toMs: nowMs + 3_600_000, bucketMs: 3_600_000 }],
  sumNoFills: [{ ...span, bucketMs: 3_600_000 }],
  sumAdsOfCampaigns: [[campaignId]],
  sumIgnoredOfCampaigns: [[campaignId]],
  countRecentOffers: [{ campaignId, fromMs: nowMs }],
} satisfies SamplesOf<typeof table>;
