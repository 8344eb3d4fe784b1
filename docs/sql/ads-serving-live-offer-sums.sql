-- Made by "npm run sql" from apps/api/src/ads/serving/live-offer-sums.table.ts; do not edit.

-- upsertSums

-- SQLite
insert into "live_offer_sums" ("node_id", "at", "sums")
  values (?, ?, ?)
  on conflict ("node_id") do update set "at" = ?, "sums" = ?;

-- PostgreSQL
insert into "live_offer_sums" ("node_id", "at", "sums")
  values ($1, $2, $3)
  on conflict ("node_id") do update set "at" = $4, "sums" = $5;

-- selectSumsOfOthers

-- SQLite
select "at", "sums"
  from "live_offer_sums"
  where "node_id" != ? and "at" >= ?
  order by "at" desc
  limit ?;

-- PostgreSQL
select "at", "sums"
  from "live_offer_sums"
  where "node_id" != $1 and "at" >= $2
  order by "at" desc
  limit $3;

-- deleteSumsBefore

-- SQLite
delete from "live_offer_sums"
  where "at" < ?;

-- PostgreSQL
delete from "live_offer_sums"
  where "at" < $1;
