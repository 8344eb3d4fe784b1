-- Made by "npm run sql" from apps/api/src/accounts/accounts.table.ts; do not edit.

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

-- countAccounts

-- SQLite
select count(*) as "count"
  from "accounts";

-- PostgreSQL
select count(*) as "count"
  from "accounts";

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
