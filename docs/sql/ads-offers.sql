-- Made by "npm run sql" from apps/api/src/ads/offers.table.ts; do not edit.

-- selectSessionScore

-- SQLite
select "service_score", "at", "mode"
  from "session_records"
  where "account_id" = ? and "id" = ?;

-- PostgreSQL
select "service_score", "at", "mode"
  from "session_records"
  where "account_id" = $1 and "id" = $2;

-- selectLanding

-- SQLite
select "c"."landing_url"
  from "offers" as "o"
  inner join "creatives" as "c" on "c"."id" = "o"."creative_id"
  where "o"."id" = ?;

-- PostgreSQL
select "c"."landing_url"
  from "offers" as "o"
  inner join "creatives" as "c" on "c"."id" = "o"."creative_id"
  where "o"."id" = $1;

-- selectOffers

-- SQLite
select "o"."id", "o"."account_id", "o"."mode", "o"."campaign_id", "o"."creative_id", "o"."placement", "o"."category", "o"."trust_band", "o"."price_micro", "o"."share_bps", "o"."developer_micro", "o"."at", "o"."expires_at", "o"."verdict", "g"."house", "a"."status" as "account_status", "c"."landing_url"
  from "offers" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  inner join "creatives" as "c" on "c"."id" = "o"."creative_id"
  inner join "campaigns" as "g" on "g"."id" = "o"."campaign_id"
  where "o"."id" in (?)
  order by "o"."id";

-- PostgreSQL
select "o"."id", "o"."account_id", "o"."mode", "o"."campaign_id", "o"."creative_id", "o"."placement", "o"."category", "o"."trust_band", "o"."price_micro", "o"."share_bps", "o"."developer_micro", "o"."at", "o"."expires_at", "o"."verdict", "g"."house", "a"."status" as "account_status", "c"."landing_url"
  from "offers" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  inner join "creatives" as "c" on "c"."id" = "o"."creative_id"
  inner join "campaigns" as "g" on "g"."id" = "o"."campaign_id"
  where "o"."id" in ($1)
  order by "o"."id";

-- lockOffers

-- SQLite
select "id", "impressed_at", "clicked_at", "verdict"
  from "offers"
  where "id" in (?)
  order by "id";

-- PostgreSQL
select "id", "impressed_at", "clicked_at", "verdict"
  from "offers"
  where "id" in ($1)
  order by "id" for update;

-- selectAwaiting

-- SQLite
select "id"
  from "offers"
  where "verdict" = ? and "clicked_at" < ?
  order by "clicked_at"
  limit ?;

-- PostgreSQL
select "id"
  from "offers"
  where "verdict" = $1 and "clicked_at" < $2
  order by "clicked_at"
  limit $3;
