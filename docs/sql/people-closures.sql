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

-- selectClosure

-- SQLite
select "forfeited", "erased_at"
  from "account_closures"
  where "account_id" = ?;

-- PostgreSQL
select "forfeited", "erased_at"
  from "account_closures"
  where "account_id" = $1;

-- selectErasable

-- SQLite
select "c"."account_id"
  from "account_closures" as "c"
  inner join "ledger_heads" as "h" on "h"."account_id" = "c"."account_id"
  where "c"."account_id" > ? and "c"."erased_at" is null and ("h"."balance_micro" = ? or ("c"."forfeited" = ? and "h"."balance_micro" > ?))
  order by "c"."account_id"
  limit ?;

-- PostgreSQL
select "c"."account_id"
  from "account_closures" as "c"
  inner join "ledger_heads" as "h" on "h"."account_id" = "c"."account_id"
  where "c"."account_id" > $1 and "c"."erased_at" is null and ("h"."balance_micro" = $2 or ("c"."forfeited" = $3 and "h"."balance_micro" > $4))
  order by "c"."account_id"
  limit $5;

-- selectLeftovers

-- SQLite
select "c"."account_id"
  from "account_closures" as "c"
  inner join "ledger_heads" as "h" on "h"."account_id" = "c"."account_id"
  where "c"."account_id" > ? and "c"."erased_at" is not null and "h"."balance_micro" > ? and not exists (select "o"."id"
  from "payouts" as "o"
  where "o"."account_id" = "c"."account_id" and "o"."returned_at" > "c"."erased_at")
  order by "c"."account_id"
  limit ?;

-- PostgreSQL
select "c"."account_id"
  from "account_closures" as "c"
  inner join "ledger_heads" as "h" on "h"."account_id" = "c"."account_id"
  where "c"."account_id" > $1 and "c"."erased_at" is not null and "h"."balance_micro" > $2 and not exists (select "o"."id"
  from "payouts" as "o"
  where "o"."account_id" = "c"."account_id" and "o"."returned_at" > "c"."erased_at")
  order by "c"."account_id"
  limit $3;

-- markErased

-- SQLite
update "account_closures" set "erased_at" = ?
  where "account_id" = ? and "erased_at" is null;

-- PostgreSQL
update "account_closures" set "erased_at" = $1
  where "account_id" = $2 and "erased_at" is null;
