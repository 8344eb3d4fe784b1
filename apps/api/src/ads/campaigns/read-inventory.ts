import type { AuctionCampaign, ClickHistory } from "../auction/snapshot.ts";
import type { AdFormat, Placement } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { extensionOf } from "./image-formats.ts";
import { selectActiveCampaigns, selectApprovedCreatives, selectClickRates, selectServedImages } from "./inventory.table.ts";
import { selectSpending } from "./budgets.table.ts";
import { msPerDay } from "../../formats/time.ts";

export type ServedImage = { hash: string; extension: string; width: number; height: number };

/** A creative as a node shows it. */
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

/** A campaign as the auction sees it, with its names. */
export type CampaignFacts = AuctionCampaign & { name: string; advertiser: string };

export type InventoryRead = { campaigns: Map<string, CampaignFacts>; creatives: Map<string, ServedCreative> };

/** A page's rows are turned into objects in one go: small enough that nobody waits for it. */
const campaignsPerPage = 500;
const spendingPerPage = 2_500;
const clickRatesPerPage = 5_000;

/** The first millisecond of a UTC day. */
export const dayStart = (atMs: number): number => Math.floor(atMs / msPerDay) * msPerDay;

type CampaignRow = Awaited<ReturnType<ReturnType<typeof selectActiveCampaigns>["execute"]>>[number];

function toFacts(row: CampaignRow, creatives: readonly ServedCreative[]): CampaignFacts {
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

/** All that may serve, page by page. Of what changes meanwhile either state is read; the epoch tells that it changed. */
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

/** Reads what active campaigns have spent by now into `known`, and returns what moved. */
export async function readSpending(store: Store, known: Map<string, Spending>, nowMs: number): Promise<Spending[]> {
  const moved: Spending[] = [];
  let afterId = "";
  for (;;) {
    const page = await selectSpending(store.db, { afterId, day: dayStart(nowMs), limit: spendingPerPage }).execute();
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

/**
 * The click history, read a page at a time, round and round: a second's work is bounded however long the
 * history is, and a short one is read in full every time.
 */
export function createClickHistory(store: Store) {
  const known = new Map<string, ClickHistory>();
  let after = start;
  /** Reads the next page. */
  async function readOn(): Promise<"moved" | "unmoved"> {
    const rows = await selectClickRates(store.db, { after, limit: clickRatesPerPage }).execute();
    let outcome: "moved" | "unmoved" = "unmoved";
    for (const { creative_id: creativeId, placement, category, impressions, clicks } of rows) {
      const row = { creativeId, placement, category, impressions, clicks };
      const before = known.get(keyOf(row));
      if (before?.impressions === impressions && before.clicks === clicks) continue;
      known.set(keyOf(row), row);
      outcome = "moved";
    }
    const last = rows.length < clickRatesPerPage ? undefined : rows.at(-1);
    after = last ? { creativeId: last.creative_id, placement: last.placement, category: last.category } : start;
    return outcome;
  }
  return {
    readOn,
    async readAll(): Promise<void> {
      after = start;
      do await readOn();
      while (after !== start);
    },
    forgetAllBut(creatives: ReadonlyMap<string, unknown>): void {
      for (const [key, { creativeId }] of known) if (!creatives.has(creativeId)) known.delete(key);
    },
    rows: (): ClickHistory[] => [...known.values()],
  };
}
