import { nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./campaigns.table.ts";

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
  min_attestation: null,
  pacing: "asap" as const,
};

export const samples = {
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
  selectNamesOfAdvertiser: ["adv_sample"],
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
  selectCampaignNames: [[campaignId]],
} satisfies SamplesOf<typeof table>;
