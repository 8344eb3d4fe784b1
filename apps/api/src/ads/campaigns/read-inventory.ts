import { startOfDay } from "../../formats/time.ts";
import type { AdFormat, Placement } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import type { AuctionCampaign, AuctionCreative, ClickHistory } from "../auction/snapshot.ts";
import { selectSpending } from "./budgets.table.ts";
import { extensionOf } from "./image-formats.ts";
import { selectActiveCampaigns, selectApprovedCreatives, selectClickRates, selectServedImages } from "./inventory.table.ts";

export type ServedImage = { hash: string; extension: string; width: number; height: number };

export type ServedCreative = {
  id: string;
  campaignId: string;
  advertiser: string;
  house: boolean;
  format: AdFormat;
  headline: string;
  description: string;
  ctaText: string;
  landingUrl: string;
  images: Partial<Record<Placement, ServedImage>>;
};

export type CampaignFacts = AuctionCampaign & { name: string; advertiser: string };

export type InventoryRead = { campaigns: Map<string, CampaignFacts>; creatives: Map<string, ServedCreative> };

/** Pages are small enough that converting one does not block the event loop noticeably. */
const campaignsPerPage = 500;
const spendingPerPage = 2_500;
const clickRatesPerPage = 5_000;

type CampaignRow = Awaited<ReturnType<ReturnType<typeof selectActiveCampaigns>["execute"]>>[number];

export function toFacts(row: CampaignRow, creatives: readonly AuctionCreative[]): CampaignFacts {
  return {
    id: row.id,
    name: row.name,
    advertiserId: row.advertiser_id,
    advertiser: row.advertiser,
    house: row.house === 1,
    bidMicroUsd: row.bid_micro,
    budgetMicroUsd: row.budget_micro,
    spentMicroUsd: row.spent_micro,
    dailyBudgetMicroUsd: row.daily_budget_micro ?? undefined,
    spentTodayMicroUsd: 0,
    startsMs: row.starts_at,
    endsMs: row.ends_at ?? undefined,
    activeSinceMs: row.active_since ?? undefined,
    categories: JSON.parse(row.categories) as string[],
    placements: JSON.parse(row.placements) as Placement[],
    minTrust: row.min_trust,
    attestedOnly: row.min_attestation !== null,
    pacing: row.pacing,
    creatives: creatives.map(({ id, format }) => ({ id, format })),
  };
}

async function readPage(store: Store, page: readonly CampaignRow[], afterId: string, into: InventoryRead): Promise<void> {
  const range = { afterId, upToId: page.at(-1)!.id };
  const [creativeRows, imageRows] = await Promise.all([
    selectApprovedCreatives(store.db, range).execute(),
    selectServedImages(store.db, range).execute(),
  ]);
  const images = Map.groupBy(imageRows, (row) => row.creative_id);
  const creatives = Map.groupBy(creativeRows, (row) => row.campaign_id);
  for (const campaign of page) {
    const served = (creatives.get(campaign.id) ?? []).map((row): ServedCreative => {
      const shown = (images.get(row.id) ?? []).map(({ placement, image_hash: hash, width, height, content_type: type }) => {
        return [placement, { hash, extension: extensionOf(type), width, height }] as const;
      });
      return {
        id: row.id,
        campaignId: campaign.id,
        advertiser: campaign.advertiser,
        house: campaign.house === 1,
        format: row.format,
        headline: row.headline,
        description: row.description,
        ctaText: row.cta_text,
        landingUrl: row.landing_url,
        images: Object.fromEntries(shown),
      };
    });
    into.campaigns.set(campaign.id, toFacts(campaign, served));
    for (const creative of served) into.creatives.set(creative.id, creative);
  }
}

/** Everything that may serve, read page by page. A concurrent change may be half read; the epoch then triggers another read. */
export async function readInventory(store: Store, nowMs: number): Promise<InventoryRead> {
  const read: InventoryRead = { campaigns: new Map(), creatives: new Map() };
  let afterId = "";
  for (;;) {
    const page = await selectActiveCampaigns(store.db, { afterId, nowMs, limit: campaignsPerPage }).execute();
    if (page.length > 0) await readPage(store, page, afterId, read);
    if (page.length < campaignsPerPage) return read;
    afterId = page.at(-1)!.id;
  }
}

export type Spending = { campaignId: string; spentMicroUsd: number; spentTodayMicroUsd: number };

/** Reads active campaigns' spend into `known`, and returns what changed. */
export async function readSpending(store: Store, known: Map<string, Spending>, nowMs: number): Promise<Spending[]> {
  const moved: Spending[] = [];
  let afterId = "";
  for (;;) {
    const page = await selectSpending(store.db, { afterId, day: startOfDay(nowMs), limit: spendingPerPage }).execute();
    for (const { id: campaignId, spent_micro: spentMicroUsd, spent_today_micro } of page) {
      const before = known.get(campaignId);
      const spentTodayMicroUsd = spent_today_micro ?? 0;
      if (before?.spentMicroUsd === spentMicroUsd && before.spentTodayMicroUsd === spentTodayMicroUsd) continue;
      const spending = { campaignId, spentMicroUsd, spentTodayMicroUsd };
      known.set(campaignId, spending);
      moved.push(spending);
    }
    if (page.length < spendingPerPage) return moved;
    afterId = page.at(-1)!.id;
  }
}

const start = { creativeId: "", placement: "", category: "" };
const keyOf = (row: ClickHistory): string => `${row.creativeId} ${row.placement} ${row.category}`;

/** The click history, read one page at a time in a cycle: each read is bounded, and a short history is read in full every time. */
export function createClickHistory(store: Store) {
  const known = new Map<string, ClickHistory>();
  let after = start;
  async function readNextPage(): Promise<"changed" | "unchanged"> {
    const rows = await selectClickRates(store.db, { after, limit: clickRatesPerPage }).execute();
    let outcome: "changed" | "unchanged" = "unchanged";
    for (const { creative_id: creativeId, placement, category, impressions, clicks } of rows) {
      const row = { creativeId, placement, category, impressions, clicks };
      const before = known.get(keyOf(row));
      if (before?.impressions === impressions && before.clicks === clicks) continue;
      known.set(keyOf(row), row);
      outcome = "changed";
    }
    const last = rows.length < clickRatesPerPage ? undefined : rows.at(-1);
    after = last ? { creativeId: last.creative_id, placement: last.placement, category: last.category } : start;
    return outcome;
  }
  return {
    readNextPage,
    async readAll(): Promise<void> {
      after = start;
      do await readNextPage();
      while (after !== start);
    },
    retainOnly(creatives: ReadonlyMap<string, unknown>): void {
      for (const [key, { creativeId }] of known) if (!creatives.has(creativeId)) known.delete(key);
    },
    rows: (): ClickHistory[] => [...known.values()],
  };
}
