import { sql } from "kysely";
import { startOfHour } from "../../formats/time.ts";
import type { AdHourRow, ClickRateRow, IgnoredClickHourRow, NoFillHourRow, Placement } from "../../store/schema-ads.ts";
import type { Db } from "../../store/schema.ts";

/** Rows must be sorted by key, the lock order. */
export function addToNoFillHours(db: Db, rows: readonly NoFillHourRow[]) {
  return db
    .insertInto("no_fill_hours")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["account_id", "hour", "reason"]).doUpdateSet({ requests: sql`no_fill_hours.requests + excluded.requests` }),
    );
}

export function addToAdHours(db: Db, rows: readonly AdHourRow[]) {
  return db
    .insertInto("ad_hours")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["account_id", "hour", "campaign_id", "creative_id", "placement", "trust_band"]).doUpdateSet({
        offers: sql`ad_hours.offers + excluded.offers`,
        impressions: sql`ad_hours.impressions + excluded.impressions`,
        valid_clicks: sql`ad_hours.valid_clicks + excluded.valid_clicks`,
        spend_micro: sql`ad_hours.spend_micro + excluded.spend_micro`,
        developer_micro: sql`ad_hours.developer_micro + excluded.developer_micro`,
      }),
    );
}

export function addToIgnoredClickHours(db: Db, rows: readonly IgnoredClickHourRow[]) {
  return db
    .insertInto("ignored_click_hours")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["account_id", "hour", "campaign_id", "reason"]).doUpdateSet({ clicks: sql`ignored_click_hours.clicks + excluded.clicks` }),
    );
}

/** The click history that the auction learns from. */
export function addToClickRates(db: Db, rows: readonly ClickRateRow[]) {
  return db
    .insertInto("click_rates")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["creative_id", "placement", "category"]).doUpdateSet({
        impressions: sql`click_rates.impressions + excluded.impressions`,
        clicks: sql`click_rates.clicks + excluded.clicks`,
      }),
    );
}

type CountedClick = {
  account_id: string;
  campaign_id: string;
  creative_id: string;
  placement: Placement;
  trust_band: string;
  at: number;
  price_micro: number;
  developer_micro: number;
};

/** Removes a reversed click from reports. */
export function subtractFromHour(db: Db, click: CountedClick) {
  return db
    .updateTable("ad_hours")
    .set((eb) => ({
      valid_clicks: eb("valid_clicks", "-", 1),
      spend_micro: eb("spend_micro", "-", click.price_micro),
      developer_micro: eb("developer_micro", "-", click.developer_micro),
    }))
    .where("account_id", "=", click.account_id)
    .where("hour", "=", startOfHour(click.at))
    .where("campaign_id", "=", click.campaign_id)
    .where("creative_id", "=", click.creative_id)
    .where("placement", "=", click.placement)
    .where("trust_band", "=", click.trust_band as "high");
}

/** Removes a reversed click from the click history. */
export function unlearnClick(db: Db, click: { creativeId: string; placement: Placement; category: string }) {
  return db
    .updateTable("click_rates")
    .set((eb) => ({ clicks: eb("clicks", "-", 1) }))
    .where("creative_id", "=", click.creativeId)
    .where("placement", "=", click.placement)
    .where("category", "=", click.category)
    .where("clicks", ">", 0);
}

export function countByPlacement(db: Db, span: { fromMs: number; toMs: number }) {
  return db
    .selectFrom("ad_hours")
    .select([
      "account_id",
      "placement",
      sql<number>`sum(impressions)`.as("impressions"),
      sql<number>`sum(valid_clicks)`.as("clicks"),
    ])
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy(["account_id", "placement"]);
}

/** By account, creative (which has one format) and placement: what was shown and clicked. */
export function countByCreative(db: Db, span: { fromMs: number; toMs: number }) {
  return db
    .selectFrom("ad_hours")
    .select(["account_id", "creative_id", "placement", sql<number>`sum(impressions)`.as("impressions"), sql<number>`sum(valid_clicks)`.as("clicks")])
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy(["account_id", "creative_id", "placement"]);
}

/** Requests per hour that got an offer, over all accounts. */
export function countOffersByHour(db: Db, span: { fromMs: number; toMs: number }) {
  return db
    .selectFrom("ad_hours")
    .select(["hour", (eb) => eb.fn.sum<number>("offers").as("requests")])
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy("hour");
}

/** Requests per hour without an ad, over all accounts. */
export function countNoFillsByHour(db: Db, span: { fromMs: number; toMs: number }) {
  return db
    .selectFrom("no_fill_hours")
    .select(["hour", (eb) => eb.fn.sum<number>("requests").as("requests")])
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy("hour");
}
