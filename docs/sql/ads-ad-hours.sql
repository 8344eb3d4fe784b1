-- Made by "npm run sql" from apps/api/src/ads/ad-hours.table.ts; do not edit.

-- addToNoFillHours

-- SQLite
insert into "no_fill_hours" ("account_id", "hour", "reason", "requests")
  values (?, ?, ?, ?)
  on conflict ("account_id", "hour", "reason") do update set "requests" = no_fill_hours.requests + excluded.requests;

-- PostgreSQL
insert into "no_fill_hours" ("account_id", "hour", "reason", "requests")
  values ($1, $2, $3, $4)
  on conflict ("account_id", "hour", "reason") do update set "requests" = no_fill_hours.requests + excluded.requests;

-- addToAdHours

-- SQLite
insert into "ad_hours" ("account_id", "hour", "campaign_id", "creative_id", "placement", "trust_band", "offers", "impressions", "valid_clicks", "spend_micro", "developer_micro")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "hour", "campaign_id", "creative_id", "placement", "trust_band") do update set "offers" = ad_hours.offers + excluded.offers, "impressions" = ad_hours.impressions + excluded.impressions, "valid_clicks" = ad_hours.valid_clicks + excluded.valid_clicks, "spend_micro" = ad_hours.spend_micro + excluded.spend_micro, "developer_micro" = ad_hours.developer_micro + excluded.developer_micro;

-- PostgreSQL
insert into "ad_hours" ("account_id", "hour", "campaign_id", "creative_id", "placement", "trust_band", "offers", "impressions", "valid_clicks", "spend_micro", "developer_micro")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict ("account_id", "hour", "campaign_id", "creative_id", "placement", "trust_band") do update set "offers" = ad_hours.offers + excluded.offers, "impressions" = ad_hours.impressions + excluded.impressions, "valid_clicks" = ad_hours.valid_clicks + excluded.valid_clicks, "spend_micro" = ad_hours.spend_micro + excluded.spend_micro, "developer_micro" = ad_hours.developer_micro + excluded.developer_micro;

-- addToIgnoredClickHours

-- SQLite
insert into "ignored_click_hours" ("account_id", "hour", "campaign_id", "reason", "clicks")
  values (?, ?, ?, ?, ?)
  on conflict ("account_id", "hour", "campaign_id", "reason") do update set "clicks" = ignored_click_hours.clicks + excluded.clicks;

-- PostgreSQL
insert into "ignored_click_hours" ("account_id", "hour", "campaign_id", "reason", "clicks")
  values ($1, $2, $3, $4, $5)
  on conflict ("account_id", "hour", "campaign_id", "reason") do update set "clicks" = ignored_click_hours.clicks + excluded.clicks;

-- addToClickRates

-- SQLite
insert into "click_rates" ("creative_id", "placement", "category", "impressions", "clicks")
  values (?, ?, ?, ?, ?)
  on conflict ("creative_id", "placement", "category") do update set "impressions" = click_rates.impressions + excluded.impressions, "clicks" = click_rates.clicks + excluded.clicks;

-- PostgreSQL
insert into "click_rates" ("creative_id", "placement", "category", "impressions", "clicks")
  values ($1, $2, $3, $4, $5)
  on conflict ("creative_id", "placement", "category") do update set "impressions" = click_rates.impressions + excluded.impressions, "clicks" = click_rates.clicks + excluded.clicks;
