import { raiseInventoryEpoch } from "../apps/api/src/ads/campaigns/inventory.table.ts";
import { openStore, type StoreSettings } from "../apps/api/src/store/open-store.ts";
import type { LoadTarget } from "./measure-load.ts";

const campaigns = 1_000;
const campaignsPerWrite = 250;
const imageHash = "0".repeat(64);
/** More than any run can spend. */
const budgetMicroUsd = 1_000_000_000_000;

/** A fifth of the campaigns target this category; the others accept any. */
export const adTarget: LoadTarget = {
  path: "/api/ads/request",
  body: JSON.stringify({ format: "banner", placement: "feed", user_context: { app_category: "gaming" } }),
};

/** Each campaign has its own advertiser and a different bid: the hard case for the auction. */
export async function prepareCampaigns(storeSettings: StoreSettings): Promise<number> {
  const nowMs = Date.now();
  const { store } = await openStore(storeSettings, { nowMs, onConnectionError: () => {} });
  const { db } = store;
  const image = { hash: imageHash, content_type: "image/png", width: 728, height: 90, bytes: new Uint8Array([0]), created_at: nowMs };
  await db.insertInto("images").values(image).execute();
  for (let from = 0; from < campaigns; from += campaignsPerWrite) {
    const numbers = Array.from({ length: campaignsPerWrite }, (_, index) => String(from + index).padStart(6, "0"));
    await store.write([
      db.insertInto("advertisers").values(numbers.map((number) => ({ id: `adv_${number}`, name: `Advertiser ${number}`, created_at: nowMs }))),
      db.insertInto("campaigns").values(
        numbers.map((number) => ({
          id: `camp_${number}`,
          advertiser_id: `adv_${number}`,
          name: "Bench",
          status: "active" as const,
          house: 0,
          budget_micro: budgetMicroUsd,
          daily_budget_micro: null,
          bid_micro: 50_000 + (Number(number) * 7_919) % 400_000,
          starts_at: 0,
          ends_at: null,
          categories: Number(number) % 5 === 0 ? '["gaming"]' : "[]",
          placements: "[]",
          min_trust: 0,
          pacing: "asap" as const,
          active_since: nowMs,
          created_at: nowMs,
          changed_at: nowMs,
          spent_micro: 0,
        })),
      ),
      db.insertInto("creatives").values(
        numbers.map((number) => ({
          id: `crea_${number}`,
          campaign_id: `camp_${number}`,
          format: "banner" as const,
          status: "approved" as const,
          headline: `A banner to measure with, ${number}`,
          description: "As long as descriptions are",
          cta_text: "Try it",
          landing_url: "https://shop.example/",
          created_at: nowMs,
        })),
      ),
      db
        .insertInto("creative_images")
        .values(numbers.map((number) => ({ creative_id: `crea_${number}`, placement: "feed" as const, image_hash: imageHash, width: 728, height: 90 }))),
      raiseInventoryEpoch(db),
    ]);
  }
  await store.close();
  return campaigns;
}
