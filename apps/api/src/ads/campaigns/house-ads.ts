import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { AdFormat } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { insertAdvertiser, selectAdvertiserByName, selectHouseCampaigns, selectHouseLandings, setHouseLanding } from "./campaigns.table.ts";
import { imageSizes, placements } from "./image-formats.ts";
import type { PreparedImage } from "./prepare-image.ts";
import { insertRows, campaignRow, creativeImageRows, creativeRow, storeImages, writeInventory } from "./write-inventory.ts";

/** `house.json`: the texts of the house ads. Their images are beside it as `<file>-<placement>.webp`. */
export type HouseManifest = {
  advertiser: string;
  campaign: string;
  creatives: { file: string; format: AdFormat; headline: string; description: string; cta_text: string }[];
};

const folder = new URL("./house/", import.meta.url);

/** scripts/draw-house-ads.ts draws them ahead of time, so that the first start does not have to. */
const readImages = ({ file, format }: HouseManifest["creatives"][number]): Promise<PreparedImage[]> =>
  Promise.all(
    placements.map(async (placement) => {
      const bytes = await readFile(new URL(`${file}-${placement}.webp`, folder));
      const hash = createHash("sha256").update(bytes).digest("hex");
      return { placement, hash, content_type: "image/webp", ...imageSizes[format][placement], bytes };
    }),
  );

async function addHouseAds(store: Store, { landingUrl, nowMs }: { landingUrl: string; nowMs: number }): Promise<void> {
  const manifest = JSON.parse(await readFile(new URL("house.json", folder), "utf8")) as HouseManifest;
  const known = await selectAdvertiserByName(store.db, manifest.advertiser).executeTakeFirst();
  const advertiserId = known?.id ?? timeOrderedId("adv", nowMs);
  const terms = { budgetMicroUsd: 0, dailyBudgetMicroUsd: undefined, bidMicroUsd: 0, startsMs: nowMs, endsMs: undefined };
  const reach = { categories: [], placements: [], minTrust: 0, minAttestation: null, pacing: "asap" as const };
  const campaign = campaignRow({ name: manifest.campaign, ...terms, ...reach }, { advertiserId, house: true, status: "active", nowMs });
  const made = await Promise.all(
    manifest.creatives.map(async (each) => {
      const { format, headline, description, cta_text: ctaText } = each;
      const row = creativeRow({ format, headline, description, ctaText, landingUrl }, { campaignId: campaign.id, status: "approved", nowMs });
      return { row, images: await readImages(each) };
    }),
  );
  await storeImages(store, made.flatMap(({ images }) => images), nowMs);
  const rows = { campaigns: [campaign], creatives: made.map(({ row }) => row), images: made.flatMap(({ row, images }) => creativeImageRows(row.id, images)) };
  const advertiser = known ? [] : [insertAdvertiser(store.db, { id: advertiserId, name: manifest.advertiser, created_at: nowMs })];
  const note = { actorAccountId: null, nowMs, action: "house_ads.create", subject: campaign.id, detail: { creatives: made.length } };
  await writeInventory(store, [...advertiser, ...insertRows(store, rows)], note);
}

/** House ads link to the installation itself, so they follow its address. */
async function updateLandings(store: Store, { landingUrl, nowMs }: { landingUrl: string; nowMs: number }): Promise<void> {
  const landings = await selectHouseLandings(store.db).execute();
  const stale = landings.map(({ landing_url: url }) => url).filter((url) => url !== landingUrl);
  if (stale.length === 0) return;
  const changes = stale.map((from) => setHouseLanding(store.db, { from, to: landingUrl }));
  await writeInventory(store, changes, { actorAccountId: null, nowMs, action: "house_ads.move", subject: "house", detail: { landing_url: landingUrl } });
}

/** Creates house ads for every format and placement, unless there are any in any state: an operator may have ended them. */
export async function ensureHouseAds(store: Store, { address, nowMs }: { address: string; nowMs: number }): Promise<"made" | "kept"> {
  const landing = { landingUrl: `${address}/`, nowMs };
  if ((await selectHouseCampaigns(store.db).execute()).length > 0) {
    await updateLandings(store, landing);
    return "kept";
  }
  try {
    await addHouseAds(store, landing);
    return "made";
  } catch (error) {
    // Another node started at the same time: the unique name admits one of them.
    if ((await selectHouseCampaigns(store.db).execute()).length > 0) return "kept";
    throw error;
  }
}
