import type { Campaign, Creative } from "@assay/contract/dashboard/campaigns.ts";
import { usdOf } from "../../formats/money.ts";
import type { Placement } from "../../store/schema-ads.ts";
import { type CampaignFigures, noFigures, wilson } from "../reports/report-ads.ts";
import type { CampaignView, selectCreativesOf, selectImagesOf } from "./campaigns.table.ts";
import { extensionOf } from "./image-formats.ts";

const iso = (atMs: number): string => new Date(atMs).toISOString();

export function describeCampaign(row: CampaignView, figures: CampaignFigures = noFigures): Campaign {
  return {
    id: row.id,
    advertiser: { id: row.advertiser_id, name: row.advertiser },
    name: row.name,
    status: row.status,
    house: row.house === 1,
    budget_usd: usdOf(row.budget_micro),
    daily_budget_usd: row.daily_budget_micro === null ? null : usdOf(row.daily_budget_micro),
    bid_usd: usdOf(row.bid_micro),
    spend_usd: usdOf(row.spent_micro),
    starts: iso(row.starts_at),
    ends: row.ends_at === null ? null : iso(row.ends_at),
    categories: JSON.parse(row.categories) as string[],
    placements: JSON.parse(row.placements) as Placement[],
    min_trust: row.min_trust,
    min_attestation: row.min_attestation,
    pacing: row.pacing,
    created_at: iso(row.created_at),
    fills: figures.offers,
    impressions: figures.impressions,
    valid_clicks: figures.valid_clicks,
    ctr: wilson(figures.valid_clicks, figures.impressions) ?? null,
  };
}

type CreativeRows = Awaited<ReturnType<ReturnType<typeof selectCreativesOf>["execute"]>>;
type ImageRows = Awaited<ReturnType<ReturnType<typeof selectImagesOf>["execute"]>>;

export function describeCreatives(creatives: CreativeRows, images: ImageRows, cdnUrl: string): Creative[] {
  const imagesOf = Map.groupBy(images, (image) => image.creative_id);
  return creatives.map((row) => ({
    id: row.id,
    format: row.format,
    status: row.status,
    headline: row.headline,
    description: row.description,
    cta_text: row.cta_text,
    landing_url: row.landing_url,
    images: (imagesOf.get(row.id) ?? []).map(({ placement, image_hash: hash, width, height, content_type: type }) => ({
      placement,
      url: `${cdnUrl}/${hash}.${extensionOf(type)}`,
      width,
      height,
    })),
    created_at: iso(row.created_at),
  }));
}
