-- Made by "npm run sql" from apps/api/src/secrets/sealed-keys.table.ts; do not edit.

-- selectSealedKey

-- SQLite
select "sealed"
  from "sealed_keys"
  where "name" = ?;

-- PostgreSQL
select "sealed"
  from "sealed_keys"
  where "name" = $1;

-- insertSealedKey

-- SQLite
insert into "sealed_keys" ("name", "sealed", "created_at")
  values (?, ?, ?)
  on conflict ("name") do nothing;

-- PostgreSQL
insert into "sealed_keys" ("name", "sealed", "created_at")
  values ($1, $2, $3)
  on conflict ("name") do nothing;

-- selectSealedKeysOfOthers

-- SQLite
select "name", "sealed"
  from "sealed_keys"
  where "sealed" not like ? and "name" > ?
  order by "name"
  limit ?;

-- PostgreSQL
select "name", "sealed"
  from "sealed_keys"
  where "sealed" not like $1 and "name" > $2
  order by "name"
  limit $3;

-- replaceSealedKey

-- SQLite
update "sealed_keys" set "sealed" = ?
  where "name" = ? and "sealed" = ?;

-- PostgreSQL
update "sealed_keys" set "sealed" = $1
  where "name" = $2 and "sealed" = $3;

-- selectKeyNames

-- SQLite
select "name", "created_at"
  from "sealed_keys"
  where "name" like ?
  order by "name";

-- PostgreSQL
select "name", "created_at"
  from "sealed_keys"
  where "name" like $1
  order by "name";
