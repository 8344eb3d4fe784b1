-- Made by "npm run sql" from apps/api/src/dashboard/own-account.table.ts; do not edit.

-- selectOwnAccount

-- SQLite
select "a"."id", "a"."email", "a"."tier", "a"."status", "a"."verified_at", "a"."operator", "a"."demo", "a"."created_at", "a"."house_ads", "a"."session_retention_days", "t"."per_hour", "t"."per_minute"
  from "accounts" as "a"
  inner join "tiers" as "t" on "t"."name" = "a"."tier"
  where "a"."id" = ?;

-- PostgreSQL
select "a"."id", "a"."email", "a"."tier", "a"."status", "a"."verified_at", "a"."operator", "a"."demo", "a"."created_at", "a"."house_ads", "a"."session_retention_days", "t"."per_hour", "t"."per_minute"
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

-- selectPayee

-- SQLite
select "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at"
  from "payee_profiles"
  where "account_id" = ?;

-- PostgreSQL
select "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at"
  from "payee_profiles"
  where "account_id" = $1;

-- upsertPayee

-- SQLite
insert into "payee_profiles" ("account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id") do update set "legal_name" = ?, "address" = ?, "country" = ?, "tax_id" = ?, "method" = ?, "account" = ?, "bank_code" = ?, "updated_at" = ?;

-- PostgreSQL
insert into "payee_profiles" ("account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict ("account_id") do update set "legal_name" = $10, "address" = $11, "country" = $12, "tax_id" = $13, "method" = $14, "account" = $15, "bank_code" = $16, "updated_at" = $17;

-- selectLatestSession

-- SQLite
select "id", "at", "mode", "service_score"
  from "session_records"
  where "account_id" = ?
  order by "id" desc
  limit ?;

-- PostgreSQL
select "id", "at", "mode", "service_score"
  from "session_records"
  where "account_id" = $1
  order by "id" desc
  limit $2;

-- selectAnyOutcome

-- SQLite
select "seq"
  from "session_outcomes"
  where "account_id" = ?
  limit ?;

-- PostgreSQL
select "seq"
  from "session_outcomes"
  where "account_id" = $1
  limit $2;

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

-- deleteSessionsOfAccount

-- SQLite
delete from "session_records"
  where "account_id" = ? and "id" in (select "r"."id"
  from "session_records" as "r"
  where "r"."account_id" = ? and "r"."id" < ?
  order by "r"."id"
  limit ?);

-- PostgreSQL
delete from "session_records"
  where "account_id" = $1 and "id" in (select "r"."id"
  from "session_records" as "r"
  where "r"."account_id" = $2 and "r"."id" < $3
  order by "r"."id"
  limit $4);

-- deleteOutcomesOfAccount

-- SQLite
delete from "session_outcomes"
  where "account_id" = ? and ("session_id", "seq") in (select "o"."session_id", "o"."seq"
  from "session_outcomes" as "o"
  where "o"."account_id" = ? and "o"."session_id" < ?
  order by "o"."session_id"
  limit ?);

-- PostgreSQL
delete from "session_outcomes"
  where "account_id" = $1 and ("session_id", "seq") in (select "o"."session_id", "o"."seq"
  from "session_outcomes" as "o"
  where "o"."account_id" = $2 and "o"."session_id" < $3
  order by "o"."session_id"
  limit $4);
