import type { ConversionRow } from "../../store/schema-ads.ts";
import type { Db } from "../../store/schema.ts";

/** A campaign's paid click with what reports tell apart, and its conversion, if there is one. Clicks are never deleted. */
export function selectClickOfCampaign(db: Db, wanted: { offerId: string; campaignId: string }) {
  return db
    .selectFrom("clicks as k")
    .innerJoin("creatives as c", "c.id", "k.creative_id")
    .leftJoin("conversions as v", "v.offer_id", "k.offer_id")
    .select(["k.account_id", "k.at", "k.status", "k.placement", "k.category", "c.format", "v.at as converted_at"])
    .where("k.offer_id", "=", wanted.offerId)
    .where("k.campaign_id", "=", wanted.campaignId);
}

/** Changes no row if the click was converted before. */
export function insertConversion(db: Db, row: ConversionRow) {
  return db.insertInto("conversions").values(row).onConflict((conflict) => conflict.column("offer_id").doNothing());
}
