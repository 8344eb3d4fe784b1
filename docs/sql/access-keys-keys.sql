-- Made by "npm run sql" from apps/api/src/access/keys/keys.table.ts; do not edit.

-- selectCallerByHash

-- SQLite
select "k"."id" as "key_id", "k"."account_id", "k"."mode", "k"."expires_at", "k"."revoked_at", "a"."status", "a"."house_ads", "a"."model_version" as "pinned_model", "a"."created_at" as "account_created_at", "c"."version" as "calibration_version", "c"."model_version" as "calibration_model", "c"."shift" as "calibration_shift", "c"."slope" as "calibration_slope", "t"."per_hour", "t"."per_minute", "t"."share_bps"
  from "api_keys" as "k"
  inner join "accounts" as "a" on "a"."id" = "k"."account_id"
  inner join "tiers" as "t" on "t"."name" = case when "k"."mode" = ? then ? else "a"."tier" end
  left join "calibrations" as "c" on "c"."account_id" = "a"."id" and "c"."version" = "a"."calibration_version"
  where "k"."key_hash" = ?;

-- PostgreSQL
select "k"."id" as "key_id", "k"."account_id", "k"."mode", "k"."expires_at", "k"."revoked_at", "a"."status", "a"."house_ads", "a"."model_version" as "pinned_model", "a"."created_at" as "account_created_at", "c"."version" as "calibration_version", "c"."model_version" as "calibration_model", "c"."shift" as "calibration_shift", "c"."slope" as "calibration_slope", "t"."per_hour", "t"."per_minute", "t"."share_bps"
  from "api_keys" as "k"
  inner join "accounts" as "a" on "a"."id" = "k"."account_id"
  inner join "tiers" as "t" on "t"."name" = case when "k"."mode" = $1 then $2 else "a"."tier" end
  left join "calibrations" as "c" on "c"."account_id" = "a"."id" and "c"."version" = "a"."calibration_version"
  where "k"."key_hash" = $3;

-- insertKey

-- SQLite
insert into "api_keys" ("id", "account_id", "mode", "name", "key_hash", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "api_keys" ("id", "account_id", "mode", "name", "key_hash", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- selectWorkingKeys

-- SQLite
select "id", "mode", "name", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at", "replaced_by", "seen_in_browser_at", "key_hash"
  from "api_keys"
  where "account_id" = ? and "revoked_at" is null and ("expires_at" is null or "expires_at" > ?)
  order by "created_at" desc, "id" desc
  limit ?;

-- PostgreSQL
select "id", "mode", "name", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at", "replaced_by", "seen_in_browser_at", "key_hash"
  from "api_keys"
  where "account_id" = $1 and "revoked_at" is null and ("expires_at" is null or "expires_at" > $2)
  order by "created_at" desc, "id" desc
  limit $3;

-- selectOtherKeys

-- SQLite
select "id", "mode", "name", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at", "replaced_by", "seen_in_browser_at", "key_hash"
  from "api_keys"
  where "account_id" = ? and ("revoked_at" is not null or "expires_at" <= ?)
  order by "created_at" desc, "id" desc
  limit ?;

-- PostgreSQL
select "id", "mode", "name", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at", "replaced_by", "seen_in_browser_at", "key_hash"
  from "api_keys"
  where "account_id" = $1 and ("revoked_at" is not null or "expires_at" <= $2)
  order by "created_at" desc, "id" desc
  limit $3;

-- selectKeysNamed

-- SQLite
select "id", "revoked_at"
  from "api_keys"
  where "account_id" = ? and "name" = ?
  order by case when "revoked_at" is null then 0 else 1 end, "created_at" desc, "id" desc
  limit ?;

-- PostgreSQL
select "id", "revoked_at"
  from "api_keys"
  where "account_id" = $1 and "name" = $2
  order by case when "revoked_at" is null then 0 else 1 end, "created_at" desc, "id" desc
  limit $3;

-- selectKeyLabels

-- SQLite
select "id", "mode", "name", "last_four"
  from "api_keys"
  where "account_id" = ? and "id" in (?, ?);

-- PostgreSQL
select "id", "mode", "name", "last_four"
  from "api_keys"
  where "account_id" = $1 and "id" in ($2, $3);

-- selectKeyOfAccount

-- SQLite
select "id", "mode", "name", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at", "replaced_by", "seen_in_browser_at", "key_hash"
  from "api_keys"
  where "account_id" = ? and "id" = ?;

-- PostgreSQL
select "id", "mode", "name", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at", "replaced_by", "seen_in_browser_at", "key_hash"
  from "api_keys"
  where "account_id" = $1 and "id" = $2;

-- countWorkingKeys

-- SQLite
select count(*) as "count"
  from "api_keys"
  where "account_id" = ? and "revoked_at" is null and ("expires_at" is null or "expires_at" > ?);

-- PostgreSQL
select count(*) as "count"
  from "api_keys"
  where "account_id" = $1 and "revoked_at" is null and ("expires_at" is null or "expires_at" > $2);

-- countKeysMade

-- SQLite
select count(*) as "count", min("created_at") as "first_at"
  from "api_keys"
  where "account_id" = ? and "created_at" > ?;

-- PostgreSQL
select count(*) as "count", min("created_at") as "first_at"
  from "api_keys"
  where "account_id" = $1 and "created_at" > $2;

-- renameKey

-- SQLite
update "api_keys" set "name" = ?
  where "account_id" = ? and "id" = ? and "name" != ?;

-- PostgreSQL
update "api_keys" set "name" = $1
  where "account_id" = $2 and "id" = $3 and "name" != $4;

-- replaceKey

-- SQLite
update "api_keys" set "replaced_by" = ?, "expires_at" = case when expires_at < ? then expires_at else cast(? as bigint) end
  where "account_id" = ? and "id" = ? and "replaced_by" is null and "revoked_at" is null and ("expires_at" is null or "expires_at" > ?);

-- PostgreSQL
update "api_keys" set "replaced_by" = $1, "expires_at" = case when expires_at < $2 then expires_at else cast($3 as bigint) end
  where "account_id" = $4 and "id" = $5 and "replaced_by" is null and "revoked_at" is null and ("expires_at" is null or "expires_at" > $6);

-- insertReplacement

-- SQLite
insert into "api_keys" ("id", "account_id", "mode", "name", "key_hash", "last_four", "created_at") select cast(? as text) as "id", "k"."account_id", "k"."mode", "k"."name", cast(? as text) as "key_hash", cast(? as text) as "last_four", cast(? as bigint) as "created_at"
  from "api_keys" as "k"
  where "k"."id" = ? and "k"."replaced_by" = ?;

-- PostgreSQL
insert into "api_keys" ("id", "account_id", "mode", "name", "key_hash", "last_four", "created_at") select cast($1 as text) as "id", "k"."account_id", "k"."mode", "k"."name", cast($2 as text) as "key_hash", cast($3 as text) as "last_four", cast($4 as bigint) as "created_at"
  from "api_keys" as "k"
  where "k"."id" = $5 and "k"."replaced_by" = $6;

-- noteBrowserUse

-- SQLite
update "api_keys" set "seen_in_browser_at" = ?
  where "id" = ? and ("seen_in_browser_at" is null or "seen_in_browser_at" < ?);

-- PostgreSQL
update "api_keys" set "seen_in_browser_at" = $1
  where "id" = $2 and ("seen_in_browser_at" is null or "seen_in_browser_at" < $3);

-- selectKeyById

-- SQLite
select "id", "account_id", "key_hash", "mode", "last_four", "revoked_at"
  from "api_keys"
  where "id" = ?;

-- PostgreSQL
select "id", "account_id", "key_hash", "mode", "last_four", "revoked_at"
  from "api_keys"
  where "id" = $1;

-- selectExpiringKeys

-- SQLite
select "id", "account_id", "mode", "last_four", "expires_at"
  from "api_keys"
  where "expires_at" > ? and "expires_at" <= ? and "revoked_at" is null and "replaced_by" is null and "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "account_id", "mode", "last_four", "expires_at"
  from "api_keys"
  where "expires_at" > $1 and "expires_at" <= $2 and "revoked_at" is null and "replaced_by" is null and "id" > $3
  order by "id"
  limit $4;

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

-- selectKeysSeenInBrowser

-- SQLite
select "id", "name", "seen_in_browser_at"
  from "api_keys"
  where "account_id" = ? and "mode" = ? and "seen_in_browser_at" is not null and "revoked_at" is null and ("expires_at" is null or "expires_at" > ?)
  order by "id";

-- PostgreSQL
select "id", "name", "seen_in_browser_at"
  from "api_keys"
  where "account_id" = $1 and "mode" = $2 and "seen_in_browser_at" is not null and "revoked_at" is null and ("expires_at" is null or "expires_at" > $3)
  order by "id";

-- revokeKeysOfAccount

-- SQLite
update "api_keys" set "revoked_at" = ?
  where "account_id" = ? and "revoked_at" is null;

-- PostgreSQL
update "api_keys" set "revoked_at" = $1
  where "account_id" = $2 and "revoked_at" is null;

-- eraseKeyNames

-- SQLite
update "api_keys" set "name" = ?
  where "account_id" = ?;

-- PostgreSQL
update "api_keys" set "name" = $1
  where "account_id" = $2;
