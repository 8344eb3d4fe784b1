-- Made by "npm run sql" from apps/api/src/ads/reports/ad-days.table.ts; do not edit.

-- addToCategoryDays

-- SQLite
insert into "ad_category_days" ("account_id", "day", "category", "offers", "impressions", "valid_clicks", "developer_micro")
  values (?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "day", "category") do update set "offers" = ad_category_days.offers + excluded.offers, "impressions" = ad_category_days.impressions + excluded.impressions, "valid_clicks" = ad_category_days.valid_clicks + excluded.valid_clicks, "developer_micro" = ad_category_days.developer_micro + excluded.developer_micro;

-- PostgreSQL
insert into "ad_category_days" ("account_id", "day", "category", "offers", "impressions", "valid_clicks", "developer_micro")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("account_id", "day", "category") do update set "offers" = ad_category_days.offers + excluded.offers, "impressions" = ad_category_days.impressions + excluded.impressions, "valid_clicks" = ad_category_days.valid_clicks + excluded.valid_clicks, "developer_micro" = ad_category_days.developer_micro + excluded.developer_micro;

-- addToIgnoredClickDays

-- SQLite
insert into "ignored_click_days" ("account_id", "day", "format", "placement", "category", "reason", "clicks")
  values (?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "day", "format", "placement", "category", "reason") do update set "clicks" = ignored_click_days.clicks + excluded.clicks;

-- PostgreSQL
insert into "ignored_click_days" ("account_id", "day", "format", "placement", "category", "reason", "clicks")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("account_id", "day", "format", "placement", "category", "reason") do update set "clicks" = ignored_click_days.clicks + excluded.clicks;

-- addToNoFillDays

-- SQLite
insert into "no_fill_days" ("account_id", "day", "format", "placement", "category", "reason", "requests")
  values (?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "day", "format", "placement", "category", "reason") do update set "requests" = no_fill_days.requests + excluded.requests;

-- PostgreSQL
insert into "no_fill_days" ("account_id", "day", "format", "placement", "category", "reason", "requests")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("account_id", "day", "format", "placement", "category", "reason") do update set "requests" = no_fill_days.requests + excluded.requests;

-- subtractFromCategoryDay

-- SQLite
update "ad_category_days" set "valid_clicks" = "valid_clicks" - ?, "developer_micro" = "developer_micro" - ?
  where "account_id" = ? and "day" = ? and "category" = ?;

-- PostgreSQL
update "ad_category_days" set "valid_clicks" = "valid_clicks" - $1, "developer_micro" = "developer_micro" - $2
  where "account_id" = $3 and "day" = $4 and "category" = $5;

-- addToConversionDays

-- SQLite
insert into "conversion_days" ("account_id", "day", "format", "placement", "category", "campaign_id", "conversions")
  values (?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "day", "campaign_id", "format", "placement", "category") do update set "conversions" = conversion_days.conversions + excluded.conversions;

-- PostgreSQL
insert into "conversion_days" ("account_id", "day", "format", "placement", "category", "campaign_id", "conversions")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("account_id", "day", "campaign_id", "format", "placement", "category") do update set "conversions" = conversion_days.conversions + excluded.conversions;
