/** The daily sums behind a developer's report by format, placement and category. */
import { sql } from "kysely";
import { startOfDay } from "../../formats/time.ts";
import type { AdCategoryDayRow, ConversionDayRow, IgnoredClickDayRow, NoFillDayRow } from "../../store/schema-ads.ts";
import type { Db } from "../../store/schema.ts";

const groupColumns = ["account_id", "day", "format", "placement", "category", "reason"] as const;

/** Rows must be sorted by key, the lock order, here and below. */
export function addToCategoryDays(db: Db, rows: readonly AdCategoryDayRow[]) {
  return db
    .insertInto("ad_category_days")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["account_id", "day", "category"]).doUpdateSet({
        offers: sql`ad_category_days.offers + excluded.offers`,
        impressions: sql`ad_category_days.impressions + excluded.impressions`,
        valid_clicks: sql`ad_category_days.valid_clicks + excluded.valid_clicks`,
        developer_micro: sql`ad_category_days.developer_micro + excluded.developer_micro`,
      }),
    );
}

export function addToIgnoredClickDays(db: Db, rows: readonly IgnoredClickDayRow[]) {
  return db
    .insertInto("ignored_click_days")
    .values(rows)
    .onConflict((conflict) => conflict.columns(groupColumns).doUpdateSet({ clicks: sql`ignored_click_days.clicks + excluded.clicks` }));
}

export function addToNoFillDays(db: Db, rows: readonly NoFillDayRow[]) {
  return db
    .insertInto("no_fill_days")
    .values(rows)
    .onConflict((conflict) => conflict.columns(groupColumns).doUpdateSet({ requests: sql`no_fill_days.requests + excluded.requests` }));
}

/** Removes a reversed click from the sums of its category. */
export function subtractFromCategoryDay(db: Db, click: { account_id: string; at: number; category: string; developer_micro: number }) {
  return db
    .updateTable("ad_category_days")
    .set((eb) => ({ valid_clicks: eb("valid_clicks", "-", 1), developer_micro: eb("developer_micro", "-", click.developer_micro) }))
    .where("account_id", "=", click.account_id)
    .where("day", "=", startOfDay(click.at))
    .where("category", "=", click.category);
}

export function addToConversionDays(db: Db, row: ConversionDayRow) {
  return db
    .insertInto("conversion_days")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "day", "campaign_id", "format", "placement", "category"])
        .doUpdateSet({ conversions: sql`conversion_days.conversions + excluded.conversions` }),
    );
}
