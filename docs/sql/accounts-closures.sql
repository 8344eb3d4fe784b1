-- Made by "npm run sql" from apps/api/src/accounts/closures.table.ts; do not edit.

-- upsertClosure

-- SQLite
insert into "account_closures" ("account_id", "requested_at", "forfeited", "erased_at")
  values (?, ?, ?, ?)
  on conflict ("account_id") do update set "forfeited" = case when "excluded"."forfeited" = 1 then 1 else account_closures.forfeited end;

-- PostgreSQL
insert into "account_closures" ("account_id", "requested_at", "forfeited", "erased_at")
  values ($1, $2, $3, $4)
  on conflict ("account_id") do update set "forfeited" = case when "excluded"."forfeited" = 1 then 1 else account_closures.forfeited end;

-- closeAccountStatus

-- SQLite
update "accounts" set "status" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "status" = $1
  where "id" = $2;

-- revokeKeysOfAccount

-- SQLite
update "api_keys" set "revoked_at" = ?
  where "account_id" = ? and "revoked_at" is null;

-- PostgreSQL
update "api_keys" set "revoked_at" = $1
  where "account_id" = $2 and "revoked_at" is null;

-- selectErasable

-- SQLite
select "c"."account_id", "a"."email"
  from "account_closures" as "c"
  inner join "ledger_heads" as "h" on "h"."account_id" = "c"."account_id"
  inner join "accounts" as "a" on "a"."id" = "c"."account_id"
  where "c"."erased_at" is null and ("h"."balance_micro" = ? or ("c"."forfeited" = ? and "h"."balance_micro" > ?))
  order by "c"."requested_at"
  limit ?;

-- PostgreSQL
select "c"."account_id", "a"."email"
  from "account_closures" as "c"
  inner join "ledger_heads" as "h" on "h"."account_id" = "c"."account_id"
  inner join "accounts" as "a" on "a"."id" = "c"."account_id"
  where "c"."erased_at" is null and ("h"."balance_micro" = $1 or ("c"."forfeited" = $2 and "h"."balance_micro" > $3))
  order by "c"."requested_at"
  limit $4;

-- eraseAccountRow

-- SQLite
update "accounts" set "email" = ?, "password_hash" = ?, "verified_at" = ?, "operator" = ?
  where "id" = ?;

-- PostgreSQL
update "accounts" set "email" = $1, "password_hash" = $2, "verified_at" = $3, "operator" = $4
  where "id" = $5;

-- eraseKeyNames

-- SQLite
update "api_keys" set "name" = ?
  where "account_id" = ?;

-- PostgreSQL
update "api_keys" set "name" = $1
  where "account_id" = $2;

-- deleteMailsOfAccount

-- SQLite
delete from "mails"
  where "account_id" = ?;

-- PostgreSQL
delete from "mails"
  where "account_id" = $1;

-- deletePayeeProfile

-- SQLite
delete from "payee_profiles"
  where "account_id" = ?;

-- PostgreSQL
delete from "payee_profiles"
  where "account_id" = $1;

-- markErased

-- SQLite
update "account_closures" set "erased_at" = ?
  where "account_id" = ? and "erased_at" is null;

-- PostgreSQL
update "account_closures" set "erased_at" = $1
  where "account_id" = $2 and "erased_at" is null;
