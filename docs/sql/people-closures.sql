-- Made by "npm run sql" from apps/api/src/people/closures.table.ts; do not edit.

-- upsertClosure

-- SQLite
insert into "account_closures" ("account_id", "requested_at", "forfeited", "erased_at")
  values (?, ?, ?, ?)
  on conflict ("account_id") do update set "forfeited" = case when "excluded"."forfeited" = 1 then 1 else account_closures.forfeited end;

-- PostgreSQL
insert into "account_closures" ("account_id", "requested_at", "forfeited", "erased_at")
  values ($1, $2, $3, $4)
  on conflict ("account_id") do update set "forfeited" = case when "excluded"."forfeited" = 1 then 1 else account_closures.forfeited end;

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

-- markErased

-- SQLite
update "account_closures" set "erased_at" = ?
  where "account_id" = ? and "erased_at" is null;

-- PostgreSQL
update "account_closures" set "erased_at" = $1
  where "account_id" = $2 and "erased_at" is null;
