-- Made by "npm run sql" from apps/api/src/money/ledger/prepaid.table.ts; do not edit.

-- sumPrepaid

-- SQLite
select (select coalesce(sum(developer_micro - gross_micro), 0) as "sum"
  from "usage_rollups"
  where "account_id" = "h"."account_id" and "payer" = ? and "hour" < ?) as "calls_micro", (select coalesce(sum(developer_micro - case when kind in ('deposit', 'adjustment') then 0 else gross_micro end), 0) as "sum"
  from "movement_hours"
  where "account_id" = "h"."account_id" and "payer" = ? and "hour" < ?) as "movements_micro"
  from "ledger_heads" as "h"
  where "h"."account_id" = ?;

-- PostgreSQL
select (select coalesce(sum(developer_micro - gross_micro), 0) as "sum"
  from "usage_rollups"
  where "account_id" = "h"."account_id" and "payer" = $1 and "hour" < $2) as "calls_micro", (select coalesce(sum(developer_micro - case when kind in ('deposit', 'adjustment') then 0 else gross_micro end), 0) as "sum"
  from "movement_hours"
  where "account_id" = "h"."account_id" and "payer" = $3 and "hour" < $4) as "movements_micro"
  from "ledger_heads" as "h"
  where "h"."account_id" = $5;

-- selectAnyDeveloperCall

-- SQLite
select "account_id"
  from "usage_rollups"
  where "payer" = ?
  limit ?;

-- PostgreSQL
select "account_id"
  from "usage_rollups"
  where "payer" = $1
  limit $2;

-- selectAccountsBeforePrepaid

-- SQLite
select "a"."id", "a"."email", "a"."status", "a"."demo"
  from "ledger_heads" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  where "h"."spendable_micro" is null and "h"."account_id" > ?
  order by "h"."account_id"
  limit ?;

-- PostgreSQL
select "a"."id", "a"."email", "a"."status", "a"."demo"
  from "ledger_heads" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  where "h"."spendable_micro" is null and "h"."account_id" > $1
  order by "h"."account_id"
  limit $2;

-- selectHeadsToConfirm

-- SQLite
select "account_id", "share_confirmed_seq"
  from "ledger_heads"
  where "spendable_micro" is not null and "share_confirmed_seq" < "seq" and "account_id" > ?
  order by "account_id"
  limit ?;

-- PostgreSQL
select "account_id", "share_confirmed_seq"
  from "ledger_heads"
  where "spendable_micro" is not null and "share_confirmed_seq" < "seq" and "account_id" > $1
  order by "account_id"
  limit $2;

-- sumShares

-- SQLite
select max(seq) as "seq", coalesce(sum(case when kind = 'call' and payer = 'developer' then developer_micro else 0 end), 0) as "developer_micro"
  from "ledger_entries"
  where "account_id" = ? and "seq" > ? and "seq" <= ? and "at" < ?;

-- PostgreSQL
select max(seq) as "seq", coalesce(sum(case when kind = 'call' and payer = 'developer' then developer_micro else 0 end), 0) as "developer_micro"
  from "ledger_entries"
  where "account_id" = $1 and "seq" > $2 and "seq" <= $3 and "at" < $4;

-- confirmShares

-- SQLite
update "ledger_heads" set "spendable_micro" = "spendable_micro" + ?, "share_confirmed_seq" = ?
  where "account_id" = ? and "share_confirmed_seq" = ? and "spendable_micro" is not null;

-- PostgreSQL
update "ledger_heads" set "spendable_micro" = "spendable_micro" + $1, "share_confirmed_seq" = $2
  where "account_id" = $3 and "share_confirmed_seq" = $4 and "spendable_micro" is not null;

-- selectLowBalances

-- SQLite
select "h"."account_id", "h"."spendable_micro", max("c"."ledger_seq") as "deposit_seq"
  from "ledger_heads" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  inner join "corrections" as "c" on "c"."account_id" = "h"."account_id"
  where "c"."kind" = ? and "h"."spendable_micro" < ? and "a"."status" = ? and "a"."demo" = ? and "h"."account_id" > ?
  group by "h"."account_id", "h"."spendable_micro"
  order by "h"."account_id"
  limit ?;

-- PostgreSQL
select "h"."account_id", "h"."spendable_micro", max("c"."ledger_seq") as "deposit_seq"
  from "ledger_heads" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  inner join "corrections" as "c" on "c"."account_id" = "h"."account_id"
  where "c"."kind" = $1 and "h"."spendable_micro" < $2 and "a"."status" = $3 and "a"."demo" = $4 and "h"."account_id" > $5
  group by "h"."account_id", "h"."spendable_micro"
  order by "h"."account_id"
  limit $6;
