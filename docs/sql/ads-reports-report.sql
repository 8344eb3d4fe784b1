-- Made by "npm run sql" from apps/api/src/ads/reports/report.table.ts; do not edit.

-- sumAdsByTime

-- SQLite
select hour - hour % 3600000 as "start", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("spend_micro"), 0) as "spend_micro", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "hour" >= ? and "hour" < ? and "account_id" = ?
  group by hour - hour % 3600000
  order by "start";

-- PostgreSQL
select hour - hour % 3600000 as "start", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("spend_micro"), 0) as "spend_micro", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "hour" >= $1 and "hour" < $2 and "account_id" = $3
  group by hour - hour % 3600000
  order by "start";

-- sumAdsByTrust

-- SQLite
select "trust_band", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("spend_micro"), 0) as "spend_micro", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "hour" >= ? and "hour" < ? and "campaign_id" = ?
  group by "trust_band";

-- PostgreSQL
select "trust_band", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("spend_micro"), 0) as "spend_micro", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "hour" >= $1 and "hour" < $2 and "campaign_id" = $3
  group by "trust_band";

-- sumAdsByPlacement

-- SQLite
select "placement", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("spend_micro"), 0) as "spend_micro", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "hour" >= ? and "hour" < ? and "campaign_id" = ?
  group by "placement";

-- PostgreSQL
select "placement", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("spend_micro"), 0) as "spend_micro", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "hour" >= $1 and "hour" < $2 and "campaign_id" = $3
  group by "placement";

-- sumIgnoredClicks

-- SQLite
select hour - hour % 3600000 as "start", "reason", sum("clicks") as "clicks"
  from "ignored_click_hours"
  where "hour" >= ? and "hour" < ? and "campaign_id" = ?
  group by hour - hour % 3600000, "reason";

-- PostgreSQL
select hour - hour % 3600000 as "start", "reason", sum("clicks") as "clicks"
  from "ignored_click_hours"
  where "hour" >= $1 and "hour" < $2 and "campaign_id" = $3
  group by hour - hour % 3600000, "reason";

-- sumNoFills

-- SQLite
select hour - hour % 3600000 as "start", "reason", sum("requests") as "requests"
  from "no_fill_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by hour - hour % 3600000, "reason";

-- PostgreSQL
select hour - hour % 3600000 as "start", "reason", sum("requests") as "requests"
  from "no_fill_hours"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by hour - hour % 3600000, "reason";

-- sumAdsOfCampaigns

-- SQLite
select "campaign_id", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("spend_micro"), 0) as "spend_micro", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "campaign_id" in (?)
  group by "campaign_id";

-- PostgreSQL
select "campaign_id", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("spend_micro"), 0) as "spend_micro", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "campaign_id" in ($1)
  group by "campaign_id";

-- sumIgnoredOfCampaigns

-- SQLite
select "campaign_id", "reason", sum("clicks") as "clicks"
  from "ignored_click_hours"
  where "campaign_id" in (?)
  group by "campaign_id", "reason"
  order by "reason";

-- PostgreSQL
select "campaign_id", "reason", sum("clicks") as "clicks"
  from "ignored_click_hours"
  where "campaign_id" in ($1)
  group by "campaign_id", "reason"
  order by "reason";

-- sumOriginsOfCampaigns

-- SQLite
select "c"."campaign_id", sum(CASE WHEN c.waiting_id IS NOT NULL AND c.status = 'pending' THEN 1 ELSE 0 END) as "waiting", sum(CASE WHEN c.described = 0 THEN 1 ELSE 0 END) as "undescribed", sum(CASE WHEN n.day IS NOT NULL THEN 1 ELSE 0 END) as "unlike"
  from "clicks" as "c"
  left join "integrity_notices" as "n" on "n"."account_id" = "c"."account_id" and "n"."code" = ? and "n"."day" = c.at - c.at % ?
  where "c"."campaign_id" in (?)
  group by "c"."campaign_id";

-- PostgreSQL
select "c"."campaign_id", sum(CASE WHEN c.waiting_id IS NOT NULL AND c.status = 'pending' THEN 1 ELSE 0 END) as "waiting", sum(CASE WHEN c.described = 0 THEN 1 ELSE 0 END) as "undescribed", sum(CASE WHEN n.day IS NOT NULL THEN 1 ELSE 0 END) as "unlike"
  from "clicks" as "c"
  left join "integrity_notices" as "n" on "n"."account_id" = "c"."account_id" and "n"."code" = $1 and "n"."day" = c.at - c.at % $2
  where "c"."campaign_id" in ($3)
  group by "c"."campaign_id";

-- countRecentOffers

-- SQLite
select sum("offers") as "offers"
  from "ad_hours"
  where "campaign_id" = ? and "hour" >= ?;

-- PostgreSQL
select sum("offers") as "offers"
  from "ad_hours"
  where "campaign_id" = $1 and "hour" >= $2;
