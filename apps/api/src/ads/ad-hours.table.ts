import { type Kysely, sql } from "kysely";
import type { AdHourRow, ClickRateRow, IgnoredClickHourRow, NoFillHourRow } from "../store/schema-ads.ts";
import type { Schema } from "../store/schema.ts";

type Db = Kysely<Schema>;

/** Rows are given in the order of their keys: everybody locks them in that order. */
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

/** What the auction learns from. */
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
