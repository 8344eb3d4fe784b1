import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importCampaignFile } from "../../apps/api/src/ads/campaigns/import-campaigns.ts";
import type { Store } from "../../apps/api/src/store/store.ts";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";

export const formats = ["banner", "native", "interstitial"] as const;

const creative = (format: string) => ({ format, headline: `Good ${format}`, description: "For people", cta_text: "Look", landing_url: "https://shop.example/landing" });

/** One paid campaign with an ad in each format, for sessions with verified trust. */
export async function importCampaign(store: Store): Promise<void> {
  const campaigns = [{ name: "Spring", budget_usd: 10, bid_usd: 0.25, min_trust: 50, creatives: formats.map(creative) }];
  const file = join(makeTestFolder(), "campaign.json");
  writeFileSync(file, JSON.stringify({ advertiser: "Acme", campaigns }));
  const outcome = await importCampaignFile(store, file, { nowMs: Date.now(), actorAccountId: null });
  assert.equal(outcome.kind, "imported", JSON.stringify(outcome));
}
