import { placements } from "../../../src/ads/campaigns/image-formats.ts";
import { raiseInventoryEpoch } from "../../../src/ads/campaigns/inventory.table.ts";
import type { AdFormat, CampaignRow, MinAttestation } from "../../../src/store/schema-ads.ts";
import type { Store } from "../../../src/store/store.ts";
import { randomBase62 } from "../../../src/ids/time-ordered-id.ts";
import { msPerDay } from "../../../src/formats/time.ts";

export type TestCampaign = { campaignId: string; creativeId: string; landingUrl: string };

const imageHash = "0".repeat(64);

/** One image for all campaigns: its content does not matter here. */
async function addImage(store: Store): Promise<void> {
  const image = { hash: imageHash, content_type: "image/png", width: 1, height: 1, bytes: new Uint8Array([1]), created_at: 0 };
  await store.db.insertInto("images").values(image).onConflict((conflict) => conflict.column("hash").doNothing()).execute();
}

/** An active campaign with one approved creative, as an import leaves it. */
export async function makeCampaign(
  store: Store,
  options: Partial<CampaignRow> & { min_attestation?: MinAttestation; format?: AdFormat; headline?: string; landingUrl?: string } = {},
): Promise<TestCampaign> {
  const { format = "banner", headline = "Build faster", landingUrl = "https://shop.example/landing?from=ad", ...campaign } = options;
  const name = randomBase62(16);
  const [advertiserId, campaignId, creativeId] = [`adv_${name}`, `camp_${name}`, `crea_${name}`];
  const nowMs = Date.now();
  await addImage(store);
  await store.write([
    store.db.insertInto("advertisers").values({ id: advertiserId, name: `Acme ${name}`, created_at: nowMs }),
    store.db.insertInto("campaigns").values({
      id: campaignId,
      advertiser_id: advertiserId,
      name: "Spring",
      status: "active",
      house: 0,
      budget_micro: 10_000_000,
      daily_budget_micro: null,
      bid_micro: 250_000,
      starts_at: nowMs - msPerDay,
      ends_at: null,
      categories: "[]",
      placements: "[]",
      min_trust: 0,
      pacing: "asap",
      active_since: nowMs - msPerDay,
      spent_micro: 0,
      created_at: nowMs,
      changed_at: nowMs,
      ...campaign,
    }),
    store.db.insertInto("creatives").values({
      id: creativeId,
      campaign_id: campaignId,
      format,
      status: "approved",
      headline,
      description: "Tools for teams of two",
      cta_text: "Try it",
      landing_url: landingUrl,
      created_at: nowMs,
    }),
    store.db
      .insertInto("creative_images")
      .values(placements.map((placement) => ({ creative_id: creativeId, placement, image_hash: imageHash, width: 728, height: 90 }))),
    raiseInventoryEpoch(store.db),
  ]);
  return { campaignId, creativeId, landingUrl };
}
