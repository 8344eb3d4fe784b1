-- Made by "npm run sql" from apps/api/src/ads/reports/report-groups.table.ts; do not edit.

-- sumFiguresByDay

-- SQLite
select cast(hour - hour % 86400000 as text) as "name", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by cast(hour - hour % 86400000 as text);

-- PostgreSQL
select cast(hour - hour % 86400000 as text) as "name", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by cast(hour - hour % 86400000 as text);

-- sumFiguresByPlacement

-- SQLite
select "placement" as "name", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by "placement";

-- PostgreSQL
select "placement" as "name", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by "placement";

-- sumFiguresByFormat

-- SQLite
select coalesce(creatives.format, '(unknown)') as "name", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  left join "creatives" on "creatives"."id" = "ad_hours"."creative_id"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by coalesce(creatives.format, '(unknown)');

-- PostgreSQL
select coalesce(creatives.format, '(unknown)') as "name", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  left join "creatives" on "creatives"."id" = "ad_hours"."creative_id"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by coalesce(creatives.format, '(unknown)');

-- sumFiguresByCategory

-- SQLite
select "category" as "name", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_category_days"
  where "account_id" = ? and "day" >= ? and "day" < ?
  group by "category"
  union all select '(all)' as "name", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?;

-- PostgreSQL
select "category" as "name", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_category_days"
  where "account_id" = $1 and "day" >= $2 and "day" < $3
  group by "category"
  union all select '(all)' as "name", coalesce(sum("offers"), 0) as "offers", coalesce(sum("impressions"), 0) as "impressions", coalesce(sum("valid_clicks"), 0) as "valid_clicks", coalesce(sum("developer_micro"), 0) as "developer_micro"
  from "ad_hours"
  where "account_id" = $4 and "hour" >= $5 and "hour" < $6;

-- sumIgnoredByDay

-- SQLite
select cast(hour - hour % 86400000 as text) as "name", "reason", sum(clicks) as "count"
  from "ignored_click_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by cast(hour - hour % 86400000 as text), "reason";

-- PostgreSQL
select cast(hour - hour % 86400000 as text) as "name", "reason", sum(clicks) as "count"
  from "ignored_click_hours"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by cast(hour - hour % 86400000 as text), "reason";

-- sumIgnoredByGroup

-- SQLite
select "placement" as "name", "reason", sum(clicks) as "count"
  from "ignored_click_days"
  where "account_id" = ? and "day" >= ? and "day" < ?
  group by "placement", "reason"
  union all select '(all)' as "name", "reason", sum(clicks) as "count"
  from "ignored_click_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by "reason";

-- PostgreSQL
select "placement" as "name", "reason", sum(clicks) as "count"
  from "ignored_click_days"
  where "account_id" = $1 and "day" >= $2 and "day" < $3
  group by "placement", "reason"
  union all select '(all)' as "name", "reason", sum(clicks) as "count"
  from "ignored_click_hours"
  where "account_id" = $4 and "hour" >= $5 and "hour" < $6
  group by "reason";

-- sumUnfilledByDay

-- SQLite
select cast(hour - hour % 86400000 as text) as "name", "reason", sum(requests) as "count"
  from "no_fill_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by cast(hour - hour % 86400000 as text), "reason";

-- PostgreSQL
select cast(hour - hour % 86400000 as text) as "name", "reason", sum(requests) as "count"
  from "no_fill_hours"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by cast(hour - hour % 86400000 as text), "reason";

-- sumUnfilledByGroup

-- SQLite
select "category" as "name", "reason", sum(requests) as "count"
  from "no_fill_days"
  where "account_id" = ? and "day" >= ? and "day" < ?
  group by "category", "reason"
  union all select '(all)' as "name", "reason", sum(requests) as "count"
  from "no_fill_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by "reason";

-- PostgreSQL
select "category" as "name", "reason", sum(requests) as "count"
  from "no_fill_days"
  where "account_id" = $1 and "day" >= $2 and "day" < $3
  group by "category", "reason"
  union all select '(all)' as "name", "reason", sum(requests) as "count"
  from "no_fill_hours"
  where "account_id" = $4 and "hour" >= $5 and "hour" < $6
  group by "reason";

-- sumConversionsByDay

-- SQLite
select cast(day as text) as "name", sum(conversions) as "count"
  from "conversion_days"
  where "account_id" = ? and "day" >= ? and "day" < ?
  group by "day";

-- PostgreSQL
select cast(day as text) as "name", sum(conversions) as "count"
  from "conversion_days"
  where "account_id" = $1 and "day" >= $2 and "day" < $3
  group by "day";

-- sumConversionsByGroup

-- SQLite
select "format" as "name", sum(conversions) as "count"
  from "conversion_days"
  where "account_id" = ? and "day" >= ? and "day" < ?
  group by "format";

-- PostgreSQL
select "format" as "name", sum(conversions) as "count"
  from "conversion_days"
  where "account_id" = $1 and "day" >= $2 and "day" < $3
  group by "format";

-- sumConversionsByDeveloper

-- SQLite
select "account_id", sum("valid_clicks") as "valid_clicks", sum("conversions") as "conversions"
  from (select "account_id", "valid_clicks", 0 as "conversions"
  from "ad_hours"
  where "campaign_id" = ? and "hour" >= ? and "hour" < ? and "valid_clicks" != ?
  union all select "account_id", 0 as "valid_clicks", "conversions"
  from "conversion_days"
  where "campaign_id" = ? and "day" >= ? and "day" < ?) as "each"
  group by "account_id"
  order by "conversions" desc, "valid_clicks" desc, "account_id"
  limit ?;

-- PostgreSQL
select "account_id", sum("valid_clicks") as "valid_clicks", sum("conversions") as "conversions"
  from (select "account_id", "valid_clicks", 0 as "conversions"
  from "ad_hours"
  where "campaign_id" = $1 and "hour" >= $2 and "hour" < $3 and "valid_clicks" != $4
  union all select "account_id", 0 as "valid_clicks", "conversions"
  from "conversion_days"
  where "campaign_id" = $5 and "day" >= $6 and "day" < $7) as "each"
  group by "account_id"
  order by "conversions" desc, "valid_clicks" desc, "account_id"
  limit $8;

-- sumConversionsOfCampaigns

-- SQLite
select "campaign_id", "account_id", sum("conversions") as "conversions"
  from "conversion_days"
  where "campaign_id" in (?)
  group by "campaign_id", "account_id"
  order by "campaign_id", "conversions" desc, "account_id";

-- PostgreSQL
select "campaign_id", "account_id", sum("conversions") as "conversions"
  from "conversion_days"
  where "campaign_id" in ($1)
  group by "campaign_id", "account_id"
  order by "campaign_id", "conversions" desc, "account_id";

-- sumConversions

-- SQLite
select sum("conversions") as "conversions"
  from "conversion_days"
  where "campaign_id" = ? and "day" >= ? and "day" < ?;

-- PostgreSQL
select sum("conversions") as "conversions"
  from "conversion_days"
  where "campaign_id" = $1 and "day" >= $2 and "day" < $3;
