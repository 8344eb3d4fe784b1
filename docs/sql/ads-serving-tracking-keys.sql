-- Made by "npm run sql" from apps/api/src/ads/serving/tracking-keys.table.ts; do not edit.

-- selectTrackingKeys

-- SQLite
select "id", "salt", "sealed", "created_at", "retired_at"
  from "tracking_keys"
  order by "created_at" desc, "id"
  limit ?;

-- PostgreSQL
select "id", "salt", "sealed", "created_at", "retired_at"
  from "tracking_keys"
  order by "created_at" desc, "id"
  limit $1;

-- insertTrackingKey

-- SQLite
insert into "tracking_keys" ("id", "salt", "sealed", "created_at", "retired_at")
  values (?, ?, ?, ?, ?);

-- PostgreSQL
insert into "tracking_keys" ("id", "salt", "sealed", "created_at", "retired_at")
  values ($1, $2, $3, $4, $5);

-- selectTrackingKeysOfOthers

-- SQLite
select "id", "salt", "sealed"
  from "tracking_keys"
  where ("sealed" is null or "sealed" not like ?) and "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "salt", "sealed"
  from "tracking_keys"
  where ("sealed" is null or "sealed" not like $1) and "id" > $2
  order by "id"
  limit $3;

-- sealTrackingKey

-- SQLite
update "tracking_keys" set "sealed" = ?
  where "id" = ? and "sealed" = ?;

-- PostgreSQL
update "tracking_keys" set "sealed" = $1
  where "id" = $2 and "sealed" = $3;

-- retireTrackingKeys

-- SQLite
update "tracking_keys" set "retired_at" = ?
  where "retired_at" is null;

-- PostgreSQL
update "tracking_keys" set "retired_at" = $1
  where "retired_at" is null;

-- deleteTrackingKeysRetiredBefore

-- SQLite
delete from "tracking_keys"
  where "retired_at" < ?;

-- PostgreSQL
delete from "tracking_keys"
  where "retired_at" < $1;
