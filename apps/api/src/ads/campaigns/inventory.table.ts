/** The queries that nodes load the inventory with. */
import { sql } from "kysely";
import type { Db } from "../../store/schema.ts";

/** Campaign ids in `(afterId, upToId]`. */
export type IdRange = { afterId: string; upToId: string };

export function selectInventoryEpoch(db: Db) {
  return db.selectFrom("inventory_epoch").select("value").where("id", "=", 1);
}

/** Part of every write that changes what may be served; its row lock serializes such writes. */
export function raiseInventoryEpoch(db: Db) {
  return db
    .updateTable("inventory_epoch")
    .set((eb) => ({ value: eb("value", "+", 1) }))
    .where("id", "=", 1);
}

/** Campaigns that may serve now or later. */
export function selectActiveCampaigns(db: Db, page: { afterId: string; nowMs: number; limit: number }) {
  return db
    .selectFrom("campaigns as c")
    .innerJoin("advertisers as a", "a.id", "c.advertiser_id")
    .select([
      "c.id",
      "c.advertiser_id",
      "a.name as advertiser",
      "c.name",
      "c.house",
      "c.budget_micro",
      "c.daily_budget_micro",
      "c.bid_micro",
      "c.starts_at",
      "c.ends_at",
      "c.categories",
      "c.placements",
      "c.min_trust",
      "c.min_attestation",
      "c.pacing",
      "c.active_since",
      "c.spent_micro",
    ])
    .where("c.id", ">", page.afterId)
    .where("c.status", "=", "active")
    .where((eb) => eb.or([eb("c.ends_at", "is", null), eb("c.ends_at", ">", page.nowMs)]))
    .orderBy("c.id")
    .limit(page.limit);
}

export function selectApprovedCreatives(db: Db, campaigns: IdRange) {
  return db
    .selectFrom("creatives as r")
    .innerJoin("campaigns as c", "c.id", "r.campaign_id")
    .select(["r.id", "r.campaign_id", "r.format", "r.headline", "r.description", "r.cta_text", "r.landing_url"])
    .where("r.campaign_id", ">", campaigns.afterId)
    .where("r.campaign_id", "<=", campaigns.upToId)
    .where("c.status", "=", "active")
    .where("r.status", "=", "approved")
    .orderBy("r.campaign_id")
    .orderBy("r.id");
}

/** Without their bytes. */
export function selectServedImages(db: Db, campaigns: IdRange) {
  return db
    .selectFrom("creatives as r")
    .innerJoin("campaigns as c", "c.id", "r.campaign_id")
    .innerJoin("creative_images as p", "p.creative_id", "r.id")
    .innerJoin("images as i", "i.hash", "p.image_hash")
    .select(["p.creative_id", "p.placement", "p.image_hash", "p.width", "p.height", "i.content_type"])
    .where("r.campaign_id", ">", campaigns.afterId)
    .where("r.campaign_id", "<=", campaigns.upToId)
    .where("c.status", "=", "active")
    .where("r.status", "=", "approved");
}

/** One page of the click history of creatives that may serve. */
export function selectClickRates(
  db: Db,
  page: { after: { creativeId: string; placement: string; category: string }; limit: number },
) {
  const { creativeId, placement, category } = page.after;
  return db
    .selectFrom("click_rates as k")
    .innerJoin("creatives as r", "r.id", "k.creative_id")
    .innerJoin("campaigns as c", "c.id", "r.campaign_id")
    .select(["k.creative_id", "k.placement", "k.category", "k.impressions", "k.clicks"])
    .where(sql<boolean>`(k.creative_id, k.placement, k.category) > (${creativeId}, ${placement}, ${category})`)
    .where("c.status", "=", "active")
    .where("r.status", "=", "approved")
    .orderBy("k.creative_id")
    .orderBy("k.placement")
    .orderBy("k.category")
    .limit(page.limit);
}
