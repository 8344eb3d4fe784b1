-- Made by "npm run sql" from apps/api/src/ads/reports/ad-hours.table.ts; do not edit.

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
insert into "ad_hours" ("account_id", "campaign_id", "creative_id", "placement", "trust_band", "hour", "offers", "impressions", "valid_clicks", "spend_micro", "developer_micro")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "hour", "campaign_id", "creative_id", "placement", "trust_band") do update set "offers" = ad_hours.offers + excluded.offers, "impressions" = ad_hours.impressions + excluded.impressions, "valid_clicks" = ad_hours.valid_clicks + excluded.valid_clicks, "spend_micro" = ad_hours.spend_micro + excluded.spend_micro, "developer_micro" = ad_hours.developer_micro + excluded.developer_micro;

-- PostgreSQL
insert into "ad_hours" ("account_id", "campaign_id", "creative_id", "placement", "trust_band", "hour", "offers", "impressions", "valid_clicks", "spend_micro", "developer_micro")
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

-- subtractFromHour

-- SQLite
update "ad_hours" set "valid_clicks" = "valid_clicks" - ?, "spend_micro" = "spend_micro" - ?, "developer_micro" = "developer_micro" - ?
  where "account_id" = ? and "hour" = ? and "campaign_id" = ? and "creative_id" = ? and "placement" = ? and "trust_band" = ?;

-- PostgreSQL
update "ad_hours" set "valid_clicks" = "valid_clicks" - $1, "spend_micro" = "spend_micro" - $2, "developer_micro" = "developer_micro" - $3
  where "account_id" = $4 and "hour" = $5 and "campaign_id" = $6 and "creative_id" = $7 and "placement" = $8 and "trust_band" = $9;

-- unlearnClick

-- SQLite
update "click_rates" set "clicks" = "clicks" - ?
  where "creative_id" = ? and "placement" = ? and "category" = ? and "clicks" > ?;

-- PostgreSQL
update "click_rates" set "clicks" = "clicks" - $1
  where "creative_id" = $2 and "placement" = $3 and "category" = $4 and "clicks" > $5;

-- countByPlacement

-- SQLite
select "account_id", "placement", sum(impressions) as "impressions", sum(valid_clicks) as "clicks"
  from "ad_hours"
  where "hour" >= ? and "hour" < ?
  group by "account_id", "placement";

-- PostgreSQL
select "account_id", "placement", sum(impressions) as "impressions", sum(valid_clicks) as "clicks"
  from "ad_hours"
  where "hour" >= $1 and "hour" < $2
  group by "account_id", "placement";

-- countByCreative

-- SQLite
select "account_id", "creative_id", "placement", sum(impressions) as "impressions", sum(valid_clicks) as "clicks"
  from "ad_hours"
  where "hour" >= ? and "hour" < ?
  group by "account_id", "creative_id", "placement";

-- PostgreSQL
select "account_id", "creative_id", "placement", sum(impressions) as "impressions", sum(valid_clicks) as "clicks"
  from "ad_hours"
  where "hour" >= $1 and "hour" < $2
  group by "account_id", "creative_id", "placement";

-- countOffersByHour

-- SQLite
select "hour", sum("offers") as "requests"
  from "ad_hours"
  where "hour" >= ? and "hour" < ?
  group by "hour";

-- PostgreSQL
select "hour", sum("offers") as "requests"
  from "ad_hours"
  where "hour" >= $1 and "hour" < $2
  group by "hour";

-- countNoFillsByHour

-- SQLite
select "hour", sum("requests") as "requests"
  from "no_fill_hours"
  where "hour" >= ? and "hour" < ?
  group by "hour";

-- PostgreSQL
select "hour", sum("requests") as "requests"
  from "no_fill_hours"
  where "hour" >= $1 and "hour" < $2
  group by "hour";
