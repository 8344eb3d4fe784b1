-- Made by "npm run sql" from apps/api/src/money/holds/holds.table.ts; do not edit.

-- openHold

-- SQLite
insert into "money_holds" ("id", "account_id", "kind", "reason", "opened_by", "opened_at", "lifted_by", "lifted_at", "lift_reason")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "kind")
  where "lifted_at" is null do nothing;

-- PostgreSQL
insert into "money_holds" ("id", "account_id", "kind", "reason", "opened_by", "opened_at", "lifted_by", "lifted_at", "lift_reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict ("account_id", "kind")
  where "lifted_at" is null do nothing;

-- liftHold

-- SQLite
update "money_holds" set "lifted_at" = ?, "lifted_by" = ?, "lift_reason" = ?
  where "account_id" = ? and "kind" = ? and "lifted_at" is null;

-- PostgreSQL
update "money_holds" set "lifted_at" = $1, "lifted_by" = $2, "lift_reason" = $3
  where "account_id" = $4 and "kind" = $5 and "lifted_at" is null;

-- selectHolds

-- SQLite
select *
  from "money_holds"
  where "account_id" = ?
  order by "opened_at" desc, "id" desc
  limit ?;

-- PostgreSQL
select *
  from "money_holds"
  where "account_id" = $1
  order by "opened_at" desc, "id" desc
  limit $2;

-- selectOpenHolds

-- SQLite
select *
  from "money_holds"
  where "account_id" in (?) and "lifted_at" is null;

-- PostgreSQL
select *
  from "money_holds"
  where "account_id" in ($1) and "lifted_at" is null;

-- selectHoldsOpenAt

-- SQLite
select "reason", "opened_at"
  from "money_holds"
  where "account_id" = ? and "opened_at" < ? and ("lifted_at" is null or "lifted_at" >= ?)
  order by "opened_at", "id";

-- PostgreSQL
select "reason", "opened_at"
  from "money_holds"
  where "account_id" = $1 and "opened_at" < $2 and ("lifted_at" is null or "lifted_at" >= $3)
  order by "opened_at", "id";

-- selectAccountsOnHold

-- SQLite
select distinct "account_id"
  from "money_holds"
  where "lifted_at" is null and "account_id" > ?
  order by "account_id"
  limit ?;

-- PostgreSQL
select distinct "account_id"
  from "money_holds"
  where "lifted_at" is null and "account_id" > $1
  order by "account_id"
  limit $2;

-- selectAccountsWithFindings

-- SQLite
select distinct "account_id"
  from "findings"
  where "account_id" in (?) and "closed_at" is null;

-- PostgreSQL
select distinct "account_id"
  from "findings"
  where "account_id" in ($1) and "closed_at" is null;
