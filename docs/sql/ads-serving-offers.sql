-- Made by "npm run sql" from apps/api/src/ads/serving/offers.table.ts; do not edit.

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
select "o"."id", "o"."account_id", "o"."mode", "o"."campaign_id", "o"."creative_id", "o"."format", "o"."placement", "o"."category", "o"."trust_band", "o"."price_micro", "o"."share_bps", "o"."developer_micro", "o"."at", "o"."expires_at", "o"."verdict", "g"."house", "a"."status" as "account_status", "c"."landing_url"
  from "offers" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  inner join "creatives" as "c" on "c"."id" = "o"."creative_id"
  inner join "campaigns" as "g" on "g"."id" = "o"."campaign_id"
  where "o"."id" in (?)
  order by "o"."id";

-- PostgreSQL
select "o"."id", "o"."account_id", "o"."mode", "o"."campaign_id", "o"."creative_id", "o"."format", "o"."placement", "o"."category", "o"."trust_band", "o"."price_micro", "o"."share_bps", "o"."developer_micro", "o"."at", "o"."expires_at", "o"."verdict", "g"."house", "a"."status" as "account_status", "c"."landing_url"
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

-- deleteOffersBefore

-- SQLite
delete from "offers"
  where "id" in (select "id"
  from "offers"
  where "id" < ?
  order by "id"
  limit ?);

-- PostgreSQL
delete from "offers"
  where "id" in (select "id"
  from "offers"
  where "id" < $1
  order by "id"
  limit $2);

-- deleteSessionOffersBefore

-- SQLite
delete from "session_offers"
  where ("account_id", "session_id") in (select "s"."account_id", "s"."session_id"
  from "session_offers" as "s"
  inner join "accounts" as "a" on "a"."id" = "s"."account_id"
  where "s"."session_id" < ?
  limit ?);

-- PostgreSQL
delete from "session_offers"
  where ("account_id", "session_id") in (select "s"."account_id", "s"."session_id"
  from "session_offers" as "s"
  inner join "accounts" as "a" on "a"."id" = "s"."account_id"
  where "s"."session_id" < $1
  limit $2);

-- noteFirstClicks

-- SQLite
update "offers" set "clicked_at" = ?, "verdict" = ?
  where "id" in (?) and "clicked_at" is null;

-- PostgreSQL
update "offers" set "clicked_at" = $1, "verdict" = $2
  where "id" in ($3) and "clicked_at" is null;

-- settleAwaiting

-- SQLite
update "offers" set "verdict" = ?
  where "id" in (?) and "verdict" = ?;

-- PostgreSQL
update "offers" set "verdict" = $1
  where "id" in ($2) and "verdict" = $3;

-- noteImpressions

-- SQLite
update "offers" set "impressed_at" = ?
  where "id" in (?) and "impressed_at" is null;

-- PostgreSQL
update "offers" set "impressed_at" = $1
  where "id" in ($2) and "impressed_at" is null;

-- selectCategoryOfOffer

-- SQLite
select "category"
  from "offers"
  where "id" = ?;

-- PostgreSQL
select "category"
  from "offers"
  where "id" = $1;
