-- Made by "npm run sql" from apps/api/src/ads/campaigns/inventory.table.ts; do not edit.

-- selectInventoryEpoch

-- SQLite
select "value"
  from "inventory_epoch"
  where "id" = ?;

-- PostgreSQL
select "value"
  from "inventory_epoch"
  where "id" = $1;

-- raiseInventoryEpoch

-- SQLite
update "inventory_epoch" set "value" = "value" + ?
  where "id" = ?;

-- PostgreSQL
update "inventory_epoch" set "value" = "value" + $1
  where "id" = $2;

-- selectActiveCampaigns

-- SQLite
select "c"."id", "c"."advertiser_id", "a"."name" as "advertiser", "c"."name", "c"."house", "c"."budget_micro", "c"."daily_budget_micro", "c"."bid_micro", "c"."starts_at", "c"."ends_at", "c"."categories", "c"."placements", "c"."min_trust", "c"."min_attestation", "c"."pacing", "c"."active_since", "c"."spent_micro"
  from "campaigns" as "c"
  inner join "advertisers" as "a" on "a"."id" = "c"."advertiser_id"
  where "c"."id" > ? and "c"."status" = ? and ("c"."ends_at" is null or "c"."ends_at" > ?)
  order by "c"."id"
  limit ?;

-- PostgreSQL
select "c"."id", "c"."advertiser_id", "a"."name" as "advertiser", "c"."name", "c"."house", "c"."budget_micro", "c"."daily_budget_micro", "c"."bid_micro", "c"."starts_at", "c"."ends_at", "c"."categories", "c"."placements", "c"."min_trust", "c"."min_attestation", "c"."pacing", "c"."active_since", "c"."spent_micro"
  from "campaigns" as "c"
  inner join "advertisers" as "a" on "a"."id" = "c"."advertiser_id"
  where "c"."id" > $1 and "c"."status" = $2 and ("c"."ends_at" is null or "c"."ends_at" > $3)
  order by "c"."id"
  limit $4;

-- selectApprovedCreatives

-- SQLite
select "r"."id", "r"."campaign_id", "r"."format", "r"."headline", "r"."description", "r"."cta_text", "r"."landing_url"
  from "creatives" as "r"
  inner join "campaigns" as "c" on "c"."id" = "r"."campaign_id"
  where "r"."campaign_id" > ? and "r"."campaign_id" <= ? and "c"."status" = ? and "r"."status" = ?
  order by "r"."campaign_id", "r"."id";

-- PostgreSQL
select "r"."id", "r"."campaign_id", "r"."format", "r"."headline", "r"."description", "r"."cta_text", "r"."landing_url"
  from "creatives" as "r"
  inner join "campaigns" as "c" on "c"."id" = "r"."campaign_id"
  where "r"."campaign_id" > $1 and "r"."campaign_id" <= $2 and "c"."status" = $3 and "r"."status" = $4
  order by "r"."campaign_id", "r"."id";

-- selectServedImages

-- SQLite
select "p"."creative_id", "p"."placement", "p"."image_hash", "p"."width", "p"."height", "i"."content_type"
  from "creatives" as "r"
  inner join "campaigns" as "c" on "c"."id" = "r"."campaign_id"
  inner join "creative_images" as "p" on "p"."creative_id" = "r"."id"
  inner join "images" as "i" on "i"."hash" = "p"."image_hash"
  where "r"."campaign_id" > ? and "r"."campaign_id" <= ? and "c"."status" = ? and "r"."status" = ?;

-- PostgreSQL
select "p"."creative_id", "p"."placement", "p"."image_hash", "p"."width", "p"."height", "i"."content_type"
  from "creatives" as "r"
  inner join "campaigns" as "c" on "c"."id" = "r"."campaign_id"
  inner join "creative_images" as "p" on "p"."creative_id" = "r"."id"
  inner join "images" as "i" on "i"."hash" = "p"."image_hash"
  where "r"."campaign_id" > $1 and "r"."campaign_id" <= $2 and "c"."status" = $3 and "r"."status" = $4;

-- selectClickRates

-- SQLite
select "k"."creative_id", "k"."placement", "k"."category", "k"."impressions", "k"."clicks"
  from "click_rates" as "k"
  inner join "creatives" as "r" on "r"."id" = "k"."creative_id"
  inner join "campaigns" as "c" on "c"."id" = "r"."campaign_id"
  where (k.creative_id, k.placement, k.category) > (?, ?, ?) and "c"."status" = ? and "r"."status" = ?
  order by "k"."creative_id", "k"."placement", "k"."category"
  limit ?;

-- PostgreSQL
select "k"."creative_id", "k"."placement", "k"."category", "k"."impressions", "k"."clicks"
  from "click_rates" as "k"
  inner join "creatives" as "r" on "r"."id" = "k"."creative_id"
  inner join "campaigns" as "c" on "c"."id" = "r"."campaign_id"
  where (k.creative_id, k.placement, k.category) > ($1, $2, $3) and "c"."status" = $4 and "r"."status" = $5
  order by "k"."creative_id", "k"."placement", "k"."category"
  limit $6;
