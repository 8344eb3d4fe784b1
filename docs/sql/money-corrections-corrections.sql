-- Made by "npm run sql" from apps/api/src/money/corrections/corrections.table.ts; do not edit.

-- insertCorrections

-- SQLite
insert into "corrections" ("account_id", "ref", "kind", "payer", "amount_micro", "reason", "actor_account_id", "at", "ledger_seq")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "corrections" ("account_id", "ref", "kind", "payer", "amount_micro", "reason", "actor_account_id", "at", "ledger_seq")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- selectCorrections

-- SQLite
select "account_id", "ref", "kind", "payer", "amount_micro", "reason", "actor_account_id", "at", "ledger_seq"
  from "corrections"
  where "account_id" = ?
  order by "ledger_seq" desc
  limit ?;

-- PostgreSQL
select "account_id", "ref", "kind", "payer", "amount_micro", "reason", "actor_account_id", "at", "ledger_seq"
  from "corrections"
  where "account_id" = $1
  order by "ledger_seq" desc
  limit $2;

-- selectCorrectionsIn

-- SQLite
select "account_id", "ref", "kind", "payer", "amount_micro", "reason", "actor_account_id", "at", "ledger_seq"
  from "corrections"
  where "account_id" = ? and "ledger_seq" >= ? and "ledger_seq" <= ?
  order by "ledger_seq"
  limit ?;

-- PostgreSQL
select "account_id", "ref", "kind", "payer", "amount_micro", "reason", "actor_account_id", "at", "ledger_seq"
  from "corrections"
  where "account_id" = $1 and "ledger_seq" >= $2 and "ledger_seq" <= $3
  order by "ledger_seq"
  limit $4;

-- sumRefunds

-- SQLite
select coalesce(sum(c.amount_micro), 0) as "amount_micro"
  from "corrections" as "c"
  inner join "accounts" as "a" on "a"."id" = "c"."account_id"
  where "c"."payer" = ? and "c"."amount_micro" < ? and "a"."demo" = ?;

-- PostgreSQL
select coalesce(sum(c.amount_micro), 0) as "amount_micro"
  from "corrections" as "c"
  inner join "accounts" as "a" on "a"."id" = "c"."account_id"
  where "c"."payer" = $1 and "c"."amount_micro" < $2 and "a"."demo" = $3;

-- insertDate

-- SQLite
insert into "installation_dates" ("name", "at")
  values (?, ?)
  on conflict ("name") do nothing;

-- PostgreSQL
insert into "installation_dates" ("name", "at")
  values ($1, $2)
  on conflict ("name") do nothing;

-- selectModelDates

-- SQLite
select "name", "at"
  from "installation_dates"
  where "name" like ?
  order by "at" desc;

-- PostgreSQL
select "name", "at"
  from "installation_dates"
  where "name" like $1
  order by "at" desc;

-- moveDate

-- SQLite
insert into "installation_dates" ("name", "at")
  values (?, ?)
  on conflict ("name") do update set "at" = ?
  where "installation_dates"."at" < ?;

-- PostgreSQL
insert into "installation_dates" ("name", "at")
  values ($1, $2)
  on conflict ("name") do update set "at" = $3
  where "installation_dates"."at" < $4;

-- selectDate

-- SQLite
select "at"
  from "installation_dates"
  where "name" = ?;

-- PostgreSQL
select "at"
  from "installation_dates"
  where "name" = $1;
