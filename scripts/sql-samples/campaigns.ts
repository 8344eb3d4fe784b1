/** Sample arguments for the tables of the inventory and of the reports on ads. */
import type * as campaigns from "../../apps/api/src/campaigns/campaigns.table.ts";
import type * as inventory from "../../apps/api/src/campaigns/inventory.table.ts";
import type * as adReports from "../../apps/api/src/campaigns/report.table.ts";
import { accountId, nowMs, type Samples, type SamplesOf, span } from "./samples-of.ts";

const campaignId = "camp_sample";
const campaignTerms = {
  budget_micro: 10_000_000,
  daily_budget_micro: null,
  bid_micro: 250_000,
  starts_at: nowMs,
  ends_at: null,
  categories: "[]",
  placements: "[]",
  min_trust: 0,
  pacing: "asap" as const,
};

export const campaignSamples: Samples = {
  "campaigns/campaigns.table.ts": {
    insertAdvertiser: [{ id: "adv_sample", name: "Acme", created_at: nowMs }],
    selectAdvertiserByName: ["Acme"],
    selectAdvertiser: ["adv_sample"],
    selectAdvertisers: [{ afterId: "", limit: 100 }],
    renameAdvertiser: [{ id: "adv_sample", name: "Acme" }],
    insertCampaigns: [
      [
        {
          id: campaignId,
          advertiser_id: "adv_sample",
          name: "Spring",
          status: "active",
          house: 0,
          ...campaignTerms,
          spent_micro: 0,
          created_at: nowMs,
          changed_at: nowMs,
          active_since: nowMs,
        },
      ],
    ],
    insertCreatives: [
      [
        {
          id: "crea_sample",
          campaign_id: campaignId,
          format: "banner",
          status: "approved",
          headline: "Hello",
          description: "World",
          cta_text: "Go",
          landing_url: "https://example.com/",
          created_at: nowMs,
        },
      ],
    ],
    insertImages: [[{ hash: "hash", content_type: "image/webp", width: 728, height: 90, bytes: new Uint8Array(), created_at: nowMs }]],
    insertCreativeImages: [[{ creative_id: "crea_sample", placement: "feed", image_hash: "hash", width: 728, height: 90 }]],
    selectCampaign: [campaignId],
    selectCampaigns: [{ afterId: "", limit: 100 }],
    selectCampaignsByName: ["Spring"],
    selectCampaignNames: ["adv_sample"],
    changeCampaign: [{ id: campaignId, seenChangedAt: nowMs, name: "Spring", terms: campaignTerms, nowMs }],
    moveCampaign: [{ id: campaignId, from: ["draft", "paused"], to: "active", nowMs }],
    moveCreative: [{ id: "crea_sample", from: "pending", to: "approved" }],
    selectCreative: ["crea_sample"],
    selectCreativesOf: [campaignId],
    selectImagesOf: [campaignId],
    selectImage: ["hash"],
    selectHouseCampaigns: [],
    setHouseLanding: [{ from: "https://old.example/", to: "https://new.example/" }],
    selectHouseLandings: [],
  } satisfies SamplesOf<typeof campaigns>,
  "campaigns/inventory.table.ts": {
    selectInventoryEpoch: [],
    raiseInventoryEpoch: [],
    selectActiveCampaigns: [{ afterId: "", nowMs, limit: 500 }],
    selectApprovedCreatives: [{ afterId: "", upToId: campaignId }],
    selectServedImages: [{ afterId: "", upToId: campaignId }],
    selectSpending: [{ afterId: "", day: nowMs, limit: 2_500 }],
    selectClickRates: [{ after: { creativeId: "", placement: "", category: "" }, limit: 5_000 }],
    countOffersByHour: [{ fromMs: nowMs, toMs: nowMs + 3_600_000 }],
    countNoFillsByHour: [{ fromMs: nowMs, toMs: nowMs + 3_600_000 }],
  } satisfies SamplesOf<typeof inventory>,
  "campaigns/report.table.ts": {
    sumAdsByTime: [{ of: { accountId }, fromMs: nowMs, toMs: nowMs + 3_600_000, bucketMs: 3_600_000 }],
    sumAdsByTrust: [{ of: { campaignId }, fromMs: nowMs, toMs: nowMs + 3_600_000 }],
    sumAdsByPlacement: [{ of: { campaignId }, fromMs: nowMs, toMs: nowMs + 3_600_000 }],
    sumIgnoredClicks: [{ of: { campaignId }, fromMs: nowMs, toMs: nowMs + 3_600_000, bucketMs: 3_600_000 }],
    sumNoFills: [{ ...span, bucketMs: 3_600_000 }],
    sumAdsOfCampaigns: [[campaignId]],
    sumIgnoredOfCampaigns: [[campaignId]],
    selectSpendingOf: [{ campaignId, day: nowMs }],
    countRecentOffers: [{ campaignId, fromMs: nowMs }],
  } satisfies SamplesOf<typeof adReports>,
};
