-- Made by "npm run sql" from apps/api/src/ads/conversions/conversions.table.ts; do not edit.

-- selectClickOfCampaign

-- SQLite
select "k"."account_id", "k"."at", "k"."status", "k"."placement", "k"."category", "c"."format", "v"."at" as "converted_at"
  from "clicks" as "k"
  inner join "creatives" as "c" on "c"."id" = "k"."creative_id"
  left join "conversions" as "v" on "v"."offer_id" = "k"."offer_id"
  where "k"."offer_id" = ? and "k"."campaign_id" = ?;

-- PostgreSQL
select "k"."account_id", "k"."at", "k"."status", "k"."placement", "k"."category", "c"."format", "v"."at" as "converted_at"
  from "clicks" as "k"
  inner join "creatives" as "c" on "c"."id" = "k"."creative_id"
  left join "conversions" as "v" on "v"."offer_id" = "k"."offer_id"
  where "k"."offer_id" = $1 and "k"."campaign_id" = $2;

-- insertConversion

-- SQLite
insert into "conversions" ("offer_id", "at")
  values (?, ?)
  on conflict ("offer_id") do nothing;

-- PostgreSQL
insert into "conversions" ("offer_id", "at")
  values ($1, $2)
  on conflict ("offer_id") do nothing;
