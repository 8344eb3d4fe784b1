import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { AdFormat } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { insertAdvertiser, selectAdvertiserByName, selectHouseCampaigns, selectHouseLandings, setHouseLanding } from "./campaigns.table.ts";
import { imageSizes, placements } from "./image-formats.ts";
import type { PreparedImage } from "./prepare-image.ts";
import { addRows, campaignRow, creativeImageRows, creativeRow, storeImages, writeInventory } from "./write-inventory.ts";

/** `house.json`: the words of the house ads. Their images lie beside it as `<file>-<placement>.webp`. */
export type HouseManifest = {
  advertiser: string;
  campaign: string;
  creatives: { file: string; format: AdFormat; headline: string; description: string; cta_text: string }[];
};

const folder = new URL("./house/", import.meta.url);

/** Drawn ahead and committed (scripts/draw-house-ads.ts), so that a first start need not draw. */
const readImages = ({ file, format }: HouseManifest["creatives"][number]): Promise<PreparedImage[]> =>
  Promise.all(
    placements.map(async (placement) => {
      const bytes = await readFile(new URL(`${file}-${placement}.webp`, folder));
      const hash = createHash("sha256").update(bytes).digest("hex");
      return { placement, hash, content_type: "image/webp", ...imageSizes[format][placement], bytes };
    }),
  );

async function addHouseAds(store: Store, order: { landingUrl: string; nowMs: number }): Promise<void> {
  const { landingUrl, nowMs } = order;
  const manifest = JSON.parse(await readFile(new URL("house.json", folder), "utf8")) as HouseManifest;
  const known = await selectAdvertiserByName(store.db, manifest.advertiser).executeTakeFirst();
  const advertiserId = known?.id ?? timeOrderedId("adv", nowMs);
  const terms = { budgetMicroUsd: 0, dailyBudgetMicroUsd: undefined, bidMicroUsd: 0, startsMs: nowMs, endsMs: undefined };
  const reach = { categories: [], placements: [], minTrust: 0, pacing: "asap" as const };
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
  await writeInventory(store, [...advertiser, ...addRows(store, rows)], note);
}

/** House ads lead to the installation itself: when its address changes, they follow. */
async function moveLandings(store: Store, order: { landingUrl: string; nowMs: number }): Promise<void> {
  const { landingUrl, nowMs } = order;
  const landings = await selectHouseLandings(store.db).execute();
  const stale = landings.map(({ landing_url: url }) => url).filter((url) => url !== landingUrl);
  if (stale.length === 0) return;
  const changes = stale.map((from) => setHouseLanding(store.db, { from, to: landingUrl }));
  await writeInventory(store, changes, { actorAccountId: null, nowMs, action: "house_ads.move", subject: "house", detail: { landing_url: landingUrl } });
}

/**
 * Sees to it that there are house ads for every format and placement. Where there are any, whatever their state,
 * an operator has seen them: they are not made again.
 */
export async function ensureHouseAds(store: Store, order: { address: string; nowMs: number }): Promise<"made" | "kept"> {
  const landing = { landingUrl: `${order.address}/`, nowMs: order.nowMs };
  if ((await selectHouseCampaigns(store.db).execute()).length > 0) {
    await moveLandings(store, landing);
    return "kept";
  }
  try {
    await addHouseAds(store, landing);
    return "made";
  } catch (error) {
    // Nodes that start together: the unique name lets one of them in.
    if ((await selectHouseCampaigns(store.db).execute()).length > 0) return "kept";
    throw error;
  }
}
