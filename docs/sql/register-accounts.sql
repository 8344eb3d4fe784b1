-- Made by "npm run sql" from apps/api/src/register/accounts.table.ts; do not edit.

-- insertAccount

-- SQLite
insert into "accounts" ("id", "email", "password_hash", "tier", "status", "verified_at", "operator", "demo", "created_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "accounts" ("id", "email", "password_hash", "tier", "status", "verified_at", "operator", "demo", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- selectAccountByEmail

-- SQLite
select "id", "email", "tier", "status", "verified_at", "operator", "demo", "created_at"
  from "accounts"
  where "email" = ?;

-- PostgreSQL
select "id", "email", "tier", "status", "verified_at", "operator", "demo", "created_at"
  from "accounts"
  where "email" = $1;

-- selectAtFirstStart

-- SQLite
select "id"
  from "accounts"
  where "id" in (?) and "at_first_start" = ?;

-- PostgreSQL
select "id"
  from "accounts"
  where "id" in ($1) and "at_first_start" = $2;

-- selectAccounts

-- SQLite
select "id", "email", "tier", "status", "verified_at", "operator", "demo", "created_at"
  from "accounts"
  where "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "email", "tier", "status", "verified_at", "operator", "demo", "created_at"
  from "accounts"
  where "id" > $1
  order by "id"
  limit $2;

-- selectActiveOperators

-- SQLite
select "id", "email"
  from "accounts"
  where "operator" = ? and "status" = ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "email"
  from "accounts"
  where "operator" = $1 and "status" = $2
  order by "id"
  limit $3;

-- selectMailed

-- SQLite
select "id", "email", "operator"
  from "accounts"
  where "id" = ? and "status" != ? and "verified_at" is not null and "demo" = ?;

-- PostgreSQL
select "id", "email", "operator"
  from "accounts"
  where "id" = $1 and "status" != $2 and "verified_at" is not null and "demo" = $3 for share;

-- lockOpenAccount

-- SQLite
select "id", "operator"
  from "accounts"
  where "id" = ? and "status" != ?;

-- PostgreSQL
select "id", "operator"
  from "accounts"
  where "id" = $1 and "status" != $2 for share;

-- lockAccount

-- SQLite
select "id", "status", "verified_at"
  from "accounts"
  where "id" = ?;

-- PostgreSQL
select "id", "status", "verified_at"
  from "accounts"
  where "id" = $1 for no key update;

-- selectMailedOperators

-- SQLite
select "id", "email", "operator"
  from "accounts"
  where "operator" = ? and "status" = ? and "verified_at" is not null and "demo" = ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "email", "operator"
  from "accounts"
  where "operator" = $1 and "status" = $2 and "verified_at" is not null and "demo" = $3
  order by "id"
  limit $4 for share;

-- lockActiveOperators

-- SQLite
select "id"
  from "accounts"
  where "operator" = ? and "status" = ?
  order by "id";

-- PostgreSQL
select "id"
  from "accounts"
  where "operator" = $1 and "status" = $2
  order by "id" for no key update;

-- clearOperator

-- SQLite
update "accounts" set "operator" = ?
  where "id" = ? and "operator" = ?;

-- PostgreSQL
update "accounts" set "operator" = $1
  where "id" = $2 and "operator" = $3;

-- countAccounts

-- SQLite
select count(*) as "count"
  from "accounts";

-- PostgreSQL
select count(*) as "count"
  from "accounts";

-- selectFirstAccount

-- SQLite
select min("created_at") as "created_at"
  from "accounts"
  where "demo" = ?;

-- PostgreSQL
select min("created_at") as "created_at"
  from "accounts"
  where "demo" = $1;

-- setAccountTier

-- SQLite
update "accounts" set "tier" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "tier" = $1
  where "id" = $2;

-- moveAccountStatus

-- SQLite
update "accounts" set "status" = ?
  where "id" = ? and "status" = ?;

-- PostgreSQL
update "accounts" set "status" = $1
  where "id" = $2 and "status" = $3;

-- setPasswordHash

-- SQLite
update "accounts" set "password_hash" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "password_hash" = $1
  where "id" = $2;

-- raiseSignInEpoch

-- SQLite
update "accounts" set "sign_in_epoch" = "sign_in_epoch" + ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "sign_in_epoch" = "sign_in_epoch" + $1
  where "id" = $2;

-- holdSignInEpoch

-- SQLite
update "accounts" set "sign_in_epoch" = ?
  where "id" = ? and "sign_in_epoch" = ?;

-- PostgreSQL
update "accounts" set "sign_in_epoch" = $1
  where "id" = $2 and "sign_in_epoch" = $3;

-- resetSettings

-- SQLite
update "accounts" set "house_ads" = ?, "session_retention_days" = ?, "model_version" = ?, "calibration_version" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "house_ads" = $1, "session_retention_days" = $2, "model_version" = $3, "calibration_version" = $4
  where "id" = $5;

-- setVerified

-- SQLite
update "accounts" set "verified_at" = ?
  where "id" = ? and "email" = ? and "verified_at" is null;

-- PostgreSQL
update "accounts" set "verified_at" = $1
  where "id" = $2 and "email" = $3 and "verified_at" is null;

-- setEmail

-- SQLite
update "accounts" set "email" = ?, "verified_at" = ?
  where "id" = ? and "email" = ?;

-- PostgreSQL
update "accounts" set "email" = $1, "verified_at" = $2
  where "id" = $3 and "email" = $4;

-- markDemo

-- SQLite
update "accounts" set "demo" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "demo" = $1
  where "id" = $2;

-- selectOwnAccount

-- SQLite
select "a"."id", "a"."email", "a"."tier", "a"."status", "a"."verified_at", "a"."operator", "a"."demo", "a"."created_at", "a"."house_ads", "a"."session_retention_days", "a"."model_version", "t"."per_hour", "t"."per_minute"
  from "accounts" as "a"
  inner join "tiers" as "t" on "t"."name" = "a"."tier"
  where "a"."id" = ?;

-- PostgreSQL
select "a"."id", "a"."email", "a"."tier", "a"."status", "a"."verified_at", "a"."operator", "a"."demo", "a"."created_at", "a"."house_ads", "a"."session_retention_days", "a"."model_version", "t"."per_hour", "t"."per_minute"
  from "accounts" as "a"
  inner join "tiers" as "t" on "t"."name" = "a"."tier"
  where "a"."id" = $1;

-- setHouseAds

-- SQLite
update "accounts" set "house_ads" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "house_ads" = $1
  where "id" = $2;

-- setSessionRetention

-- SQLite
update "accounts" set "session_retention_days" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "session_retention_days" = $1
  where "id" = $2;

-- setPinnedModel

-- SQLite
update "accounts" set "model_version" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "model_version" = $1
  where "id" = $2;

-- countPinnedModels

-- SQLite
select "model_version", count(*) as "count"
  from "accounts"
  where "model_version" is not null and "status" != ?
  group by "model_version";

-- PostgreSQL
select "model_version", count(*) as "count"
  from "accounts"
  where "model_version" is not null and "status" != $1
  group by "model_version";

-- selectModelChoosers

-- SQLite
select "id", "status", "demo", "created_at", "model_version"
  from "accounts"
  where "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "status", "demo", "created_at", "model_version"
  from "accounts"
  where "id" > $1
  order by "id"
  limit $2;

-- selectShorterRetentions

-- SQLite
select "id", "session_retention_days"
  from "accounts"
  where "session_retention_days" is not null and "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "session_retention_days"
  from "accounts"
  where "session_retention_days" is not null and "id" > $1
  order by "id"
  limit $2;

-- selectEmails

-- SQLite
select "id", "email"
  from "accounts"
  where "id" in (?);

-- PostgreSQL
select "id", "email"
  from "accounts"
  where "id" in ($1);

-- selectDemoIds

-- SQLite
select "id"
  from "accounts"
  where "id" in (?) and "demo" = ?;

-- PostgreSQL
select "id"
  from "accounts"
  where "id" in ($1) and "demo" = $2;

-- closeAccountStatus

-- SQLite
update "accounts" set "status" = ?, "operator" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "status" = $1, "operator" = $2
  where "id" = $3;

-- eraseAccountRow

-- SQLite
update "accounts" set "email" = ?, "password_hash" = ?, "verified_at" = ?, "operator" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "email" = $1, "password_hash" = $2, "verified_at" = $3, "operator" = $4
  where "id" = $5;
