-- Made by "npm run sql" from apps/api/src/keys/keys.table.ts; do not edit.

-- selectCallerByHash

-- SQLite
select "k"."id" as "key_id", "k"."account_id", "k"."mode", "k"."expires_at", "k"."revoked_at", "a"."status", "t"."per_hour", "t"."per_minute", "t"."share_bps"
  from "api_keys" as "k"
  inner join "accounts" as "a" on "a"."id" = "k"."account_id"
  inner join "tiers" as "t" on "t"."name" = case when "k"."mode" = ? then ? else "a"."tier" end
  where "k"."key_hash" = ?;

-- PostgreSQL
select "k"."id" as "key_id", "k"."account_id", "k"."mode", "k"."expires_at", "k"."revoked_at", "a"."status", "t"."per_hour", "t"."per_minute", "t"."share_bps"
  from "api_keys" as "k"
  inner join "accounts" as "a" on "a"."id" = "k"."account_id"
  inner join "tiers" as "t" on "t"."name" = case when "k"."mode" = $1 then $2 else "a"."tier" end
  where "k"."key_hash" = $3;

-- insertKey

-- SQLite
insert into "api_keys" ("id", "account_id", "mode", "name", "key_hash", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "api_keys" ("id", "account_id", "mode", "name", "key_hash", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- selectKeysOfAccount

-- SQLite
select "id", "mode", "name", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at", "key_hash"
  from "api_keys"
  where "account_id" = ?
  order by "created_at";

-- PostgreSQL
select "id", "mode", "name", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at", "key_hash"
  from "api_keys"
  where "account_id" = $1
  order by "created_at";

-- selectKeyById

-- SQLite
select "id", "key_hash", "revoked_at"
  from "api_keys"
  where "id" = ?;

-- PostgreSQL
select "id", "key_hash", "revoked_at"
  from "api_keys"
  where "id" = $1;

-- revokeKeyById

-- SQLite
update "api_keys" set "revoked_at" = ?
  where "id" = ? and "revoked_at" is null;

-- PostgreSQL
update "api_keys" set "revoked_at" = $1
  where "id" = $2 and "revoked_at" is null;

-- touchKey

-- SQLite
update "api_keys" set "last_used_at" = ?
  where "id" = ? and ("last_used_at" is null or "last_used_at" < ?);

-- PostgreSQL
update "api_keys" set "last_used_at" = $1
  where "id" = $2 and ("last_used_at" is null or "last_used_at" < $3);

-- announceChange

-- SQLite
update "key_epoch" set "value" = "value" + ?
  where "id" = ?;
insert into "key_changes" ("seq", "subject", "at") select "value", cast(? as text) as "subject", cast(? as bigint) as "at"
  from "key_epoch";

-- PostgreSQL
update "key_epoch" set "value" = "value" + $1
  where "id" = $2;
insert into "key_changes" ("seq", "subject", "at") select "value", cast($1 as text) as "subject", cast($2 as bigint) as "at"
  from "key_epoch";

-- selectEpoch

-- SQLite
select "value"
  from "key_epoch"
  where "id" = ?;

-- PostgreSQL
select "value"
  from "key_epoch"
  where "id" = $1;

-- selectChangesAfter

-- SQLite
select "seq", "subject"
  from "key_changes"
  where "seq" > ?
  order by "seq"
  limit ?;

-- PostgreSQL
select "seq", "subject"
  from "key_changes"
  where "seq" > $1
  order by "seq"
  limit $2;

-- deleteChangesBefore

-- SQLite
delete from "key_changes"
  where "at" < ?;

-- PostgreSQL
delete from "key_changes"
  where "at" < $1;
