-- Made by "npm run sql" from apps/api/src/ads/campaigns/campaigns.table.ts; do not edit.

-- insertAdvertiser

-- SQLite
insert into "advertisers" ("id", "name", "created_at")
  values (?, ?, ?)
  on conflict do nothing;

-- PostgreSQL
insert into "advertisers" ("id", "name", "created_at")
  values ($1, $2, $3)
  on conflict do nothing;

-- selectAdvertiserByName

-- SQLite
select "id", "name", "created_at"
  from "advertisers"
  where lower(name) = lower(?);

-- PostgreSQL
select "id", "name", "created_at"
  from "advertisers"
  where lower(name) = lower($1);

-- selectAdvertiser

-- SQLite
select "id", "name", "created_at"
  from "advertisers"
  where "id" = ?;

-- PostgreSQL
select "id", "name", "created_at"
  from "advertisers"
  where "id" = $1;

-- selectAdvertisers

-- SQLite
select "id", "name", "created_at"
  from "advertisers"
  where "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "name", "created_at"
  from "advertisers"
  where "id" > $1
  order by "id"
  limit $2;

-- renameAdvertiser

-- SQLite
update "advertisers" set "name" = ?
  where "id" = ?;

-- PostgreSQL
update "advertisers" set "name" = $1
  where "id" = $2;

-- insertCampaigns

-- SQLite
insert into "campaigns" ("id", "advertiser_id", "name", "status", "house", "budget_micro", "daily_budget_micro", "bid_micro", "starts_at", "ends_at", "categories", "placements", "min_trust", "min_attestation", "pacing", "spent_micro", "created_at", "changed_at", "active_since")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "campaigns" ("id", "advertiser_id", "name", "status", "house", "budget_micro", "daily_budget_micro", "bid_micro", "starts_at", "ends_at", "categories", "placements", "min_trust", "min_attestation", "pacing", "spent_micro", "created_at", "changed_at", "active_since")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19);

-- insertCreatives

-- SQLite
insert into "creatives" ("id", "campaign_id", "format", "status", "headline", "description", "cta_text", "landing_url", "created_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "creatives" ("id", "campaign_id", "format", "status", "headline", "description", "cta_text", "landing_url", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- insertImages

-- SQLite
insert into "images" ("hash", "content_type", "width", "height", "bytes", "created_at")
  values (?, ?, ?, ?, ?, ?)
  on conflict ("hash") do nothing;

-- PostgreSQL
insert into "images" ("hash", "content_type", "width", "height", "bytes", "created_at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("hash") do nothing;

-- insertCreativeImages

-- SQLite
insert into "creative_images" ("creative_id", "placement", "image_hash", "width", "height")
  values (?, ?, ?, ?, ?);

-- PostgreSQL
insert into "creative_images" ("creative_id", "placement", "image_hash", "width", "height")
  values ($1, $2, $3, $4, $5);

-- selectCampaign

-- SQLite
select "c"."id", "c"."advertiser_id", "a"."name" as "advertiser", "c"."name", "c"."status", "c"."house", "c"."budget_micro", "c"."daily_budget_micro", "c"."bid_micro", "c"."starts_at", "c"."ends_at", "c"."categories", "c"."placements", "c"."min_trust", "c"."min_attestation", "c"."pacing", "c"."spent_micro", "c"."active_since", "c"."created_at", "c"."changed_at"
  from "campaigns" as "c"
  inner join "advertisers" as "a" on "a"."id" = "c"."advertiser_id"
  where "c"."id" = ?;

-- PostgreSQL
select "c"."id", "c"."advertiser_id", "a"."name" as "advertiser", "c"."name", "c"."status", "c"."house", "c"."budget_micro", "c"."daily_budget_micro", "c"."bid_micro", "c"."starts_at", "c"."ends_at", "c"."categories", "c"."placements", "c"."min_trust", "c"."min_attestation", "c"."pacing", "c"."spent_micro", "c"."active_since", "c"."created_at", "c"."changed_at"
  from "campaigns" as "c"
  inner join "advertisers" as "a" on "a"."id" = "c"."advertiser_id"
  where "c"."id" = $1;

-- selectCampaigns

-- SQLite
select "c"."id", "c"."advertiser_id", "a"."name" as "advertiser", "c"."name", "c"."status", "c"."house", "c"."budget_micro", "c"."daily_budget_micro", "c"."bid_micro", "c"."starts_at", "c"."ends_at", "c"."categories", "c"."placements", "c"."min_trust", "c"."min_attestation", "c"."pacing", "c"."spent_micro", "c"."active_since", "c"."created_at", "c"."changed_at"
  from "campaigns" as "c"
  inner join "advertisers" as "a" on "a"."id" = "c"."advertiser_id"
  where "c"."id" > ?
  order by "c"."id"
  limit ?;

-- PostgreSQL
select "c"."id", "c"."advertiser_id", "a"."name" as "advertiser", "c"."name", "c"."status", "c"."house", "c"."budget_micro", "c"."daily_budget_micro", "c"."bid_micro", "c"."starts_at", "c"."ends_at", "c"."categories", "c"."placements", "c"."min_trust", "c"."min_attestation", "c"."pacing", "c"."spent_micro", "c"."active_since", "c"."created_at", "c"."changed_at"
  from "campaigns" as "c"
  inner join "advertisers" as "a" on "a"."id" = "c"."advertiser_id"
  where "c"."id" > $1
  order by "c"."id"
  limit $2;

-- selectCampaignsByName

-- SQLite
select "c"."id", "c"."name", "c"."status", "a"."name" as "advertiser"
  from "campaigns" as "c"
  inner join "advertisers" as "a" on "a"."id" = "c"."advertiser_id"
  where lower(c.name) = lower(?)
  order by "c"."id";

-- PostgreSQL
select "c"."id", "c"."name", "c"."status", "a"."name" as "advertiser"
  from "campaigns" as "c"
  inner join "advertisers" as "a" on "a"."id" = "c"."advertiser_id"
  where lower(c.name) = lower($1)
  order by "c"."id";

-- selectNamesOfAdvertiser

-- SQLite
select "name"
  from "campaigns"
  where "advertiser_id" = ?;

-- PostgreSQL
select "name"
  from "campaigns"
  where "advertiser_id" = $1;

-- changeCampaign

-- SQLite
update "campaigns" set "budget_micro" = ?, "daily_budget_micro" = ?, "bid_micro" = ?, "starts_at" = ?, "ends_at" = ?, "categories" = ?, "placements" = ?, "min_trust" = ?, "min_attestation" = ?, "pacing" = ?, "name" = ?, "changed_at" = ?
  where "id" = ? and "changed_at" = ? and "status" <> ? and "spent_micro" <= ?;

-- PostgreSQL
update "campaigns" set "budget_micro" = $1, "daily_budget_micro" = $2, "bid_micro" = $3, "starts_at" = $4, "ends_at" = $5, "categories" = $6, "placements" = $7, "min_trust" = $8, "min_attestation" = $9, "pacing" = $10, "name" = $11, "changed_at" = $12
  where "id" = $13 and "changed_at" = $14 and "status" <> $15 and "spent_micro" <= $16;

-- moveCampaign

-- SQLite
update "campaigns" set "status" = ?, "changed_at" = ?, "active_since" = ?
  where "id" = ? and "status" in (?, ?);

-- PostgreSQL
update "campaigns" set "status" = $1, "changed_at" = $2, "active_since" = $3
  where "id" = $4 and "status" in ($5, $6);

-- moveCreative

-- SQLite
update "creatives" set "status" = ?
  where "id" = ? and "status" = ?;

-- PostgreSQL
update "creatives" set "status" = $1
  where "id" = $2 and "status" = $3;

-- selectCreative

-- SQLite
select "id", "campaign_id", "format", "status", "headline", "description", "cta_text", "landing_url", "created_at"
  from "creatives"
  where "id" = ?;

-- PostgreSQL
select "id", "campaign_id", "format", "status", "headline", "description", "cta_text", "landing_url", "created_at"
  from "creatives"
  where "id" = $1;

-- selectCreativesOf

-- SQLite
select "id", "campaign_id", "format", "status", "headline", "description", "cta_text", "landing_url", "created_at"
  from "creatives"
  where "campaign_id" = ?
  order by "id";

-- PostgreSQL
select "id", "campaign_id", "format", "status", "headline", "description", "cta_text", "landing_url", "created_at"
  from "creatives"
  where "campaign_id" = $1
  order by "id";

-- selectImagesOf

-- SQLite
select "p"."creative_id", "p"."placement", "p"."image_hash", "p"."width", "p"."height", "i"."content_type"
  from "creative_images" as "p"
  inner join "creatives" as "r" on "r"."id" = "p"."creative_id"
  inner join "images" as "i" on "i"."hash" = "p"."image_hash"
  where "r"."campaign_id" = ?
  order by "p"."creative_id", "p"."placement";

-- PostgreSQL
select "p"."creative_id", "p"."placement", "p"."image_hash", "p"."width", "p"."height", "i"."content_type"
  from "creative_images" as "p"
  inner join "creatives" as "r" on "r"."id" = "p"."creative_id"
  inner join "images" as "i" on "i"."hash" = "p"."image_hash"
  where "r"."campaign_id" = $1
  order by "p"."creative_id", "p"."placement";

-- selectImage

-- SQLite
select "content_type", "bytes"
  from "images"
  where "hash" = ?;

-- PostgreSQL
select "content_type", "bytes"
  from "images"
  where "hash" = $1;

-- selectHouseCampaigns

-- SQLite
select "id", "status"
  from "campaigns"
  where "house" = ?
  order by "id";

-- PostgreSQL
select "id", "status"
  from "campaigns"
  where "house" = $1
  order by "id";

-- setHouseLanding

-- SQLite
update "creatives" set "landing_url" = ?
  where "landing_url" = ? and "campaign_id" in (select "id"
  from "campaigns"
  where "house" = ?);

-- PostgreSQL
update "creatives" set "landing_url" = $1
  where "landing_url" = $2 and "campaign_id" in (select "id"
  from "campaigns"
  where "house" = $3);

-- selectHouseLandings

-- SQLite
select distinct "r"."landing_url"
  from "creatives" as "r"
  inner join "campaigns" as "c" on "c"."id" = "r"."campaign_id"
  where "c"."house" = ?;

-- PostgreSQL
select distinct "r"."landing_url"
  from "creatives" as "r"
  inner join "campaigns" as "c" on "c"."id" = "r"."campaign_id"
  where "c"."house" = $1;

-- selectCampaignNames

-- SQLite
select "id", "name"
  from "campaigns"
  where "id" in (?);

-- PostgreSQL
select "id", "name"
  from "campaigns"
  where "id" in ($1);
