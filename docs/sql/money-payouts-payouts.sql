-- Made by "npm run sql" from apps/api/src/money/payouts/payouts.table.ts; do not edit.

-- selectPayoutCandidates

-- SQLite
select "a"."id", "a"."email", "a"."status", "a"."demo", "h"."balance_micro", (select coalesce(sum(developer_micro - gross_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" = ?) as "prepaid_calls", (select coalesce(sum(developer_micro - case when kind in ('deposit', 'adjustment') then 0 else gross_micro end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" = ?) as "prepaid_movements", (select coalesce(sum(case when payer = 'developer' then 0 else developer_micro end), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."hour" < ?) as "calls_at_end", (select coalesce(sum(case when payer = 'developer' then 0 else developer_micro end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" < ?) as "movements_at_end", (select coalesce(sum(case when payer = 'developer' then 0 else developer_micro end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" >= ? and "m"."kind" in (?, ?, ?)) as "out_since", (select coalesce(sum(case when payer = 'developer' then 0 else developer_micro end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" >= ? and "m"."kind" = ? and "m"."developer_micro" < ?) as "taken_since", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = ? and "c"."at" < ?) as "pending_before_end", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = ?) as "pending", (select count(*) as "count"
  from "payee_profiles" as "p"
  where "p"."account_id" = "a"."id") as "payees", (select count(*) as "count"
  from "findings" as "f"
  where "f"."account_id" = "a"."id" and "f"."closed_at" is null) as "open_findings", (select count(*) as "count"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in (?, ?, ?)) as "open_payouts"
  from "accounts" as "a"
  inner join "ledger_heads" as "h" on "h"."account_id" = "a"."id"
  where "a"."id" > ? and "h"."balance_micro" > ?
  order by "a"."id"
  limit ?;

-- PostgreSQL
select "a"."id", "a"."email", "a"."status", "a"."demo", "h"."balance_micro", (select coalesce(sum(developer_micro - gross_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" = $1) as "prepaid_calls", (select coalesce(sum(developer_micro - case when kind in ('deposit', 'adjustment') then 0 else gross_micro end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" = $2) as "prepaid_movements", (select coalesce(sum(case when payer = 'developer' then 0 else developer_micro end), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."hour" < $3) as "calls_at_end", (select coalesce(sum(case when payer = 'developer' then 0 else developer_micro end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" < $4) as "movements_at_end", (select coalesce(sum(case when payer = 'developer' then 0 else developer_micro end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" >= $5 and "m"."kind" in ($6, $7, $8)) as "out_since", (select coalesce(sum(case when payer = 'developer' then 0 else developer_micro end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" >= $9 and "m"."kind" = $10 and "m"."developer_micro" < $11) as "taken_since", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = $12 and "c"."at" < $13) as "pending_before_end", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = $14) as "pending", (select count(*) as "count"
  from "payee_profiles" as "p"
  where "p"."account_id" = "a"."id") as "payees", (select count(*) as "count"
  from "findings" as "f"
  where "f"."account_id" = "a"."id" and "f"."closed_at" is null) as "open_findings", (select count(*) as "count"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in ($15, $16, $17)) as "open_payouts"
  from "accounts" as "a"
  inner join "ledger_heads" as "h" on "h"."account_id" = "a"."id"
  where "a"."id" > $18 and "h"."balance_micro" > $19
  order by "a"."id"
  limit $20;

-- insertPayout

-- SQLite
insert into "payouts" ("id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing;

-- PostgreSQL
insert into "payouts" ("id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  on conflict do nothing;

-- selectPayouts

-- SQLite
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq"
  from "payouts"
  where "status" = ? and "account_id" = ?
  order by "proposed_at" desc, "id" desc
  limit ?;

-- PostgreSQL
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq"
  from "payouts"
  where "status" = $1 and "account_id" = $2
  order by "proposed_at" desc, "id" desc
  limit $3;

-- selectPayoutById

-- SQLite
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq"
  from "payouts"
  where "id" = ?;

-- PostgreSQL
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq"
  from "payouts"
  where "id" = $1;

-- lockPayout

-- SQLite
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq"
  from "payouts"
  where "id" = ?;

-- PostgreSQL
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq"
  from "payouts"
  where "id" = $1 for update;

-- movePayout

-- SQLite
update "payouts" set "paid_at" = ?, "payout_seq" = ?, "status" = ?
  where "id" = ? and "status" = ?;

-- PostgreSQL
update "payouts" set "paid_at" = $1, "payout_seq" = $2, "status" = $3
  where "id" = $4 and "status" = $5;

-- selectPayoutsWithPayees

-- SQLite
select "o"."id", "o"."account_id", "o"."month", "o"."amount_micro", "o"."status", "p"."legal_name", "p"."address", "p"."country", "p"."tax_id", "p"."method", "p"."account", "p"."bank_code"
  from "payouts" as "o"
  left join "payee_profiles" as "p" on "p"."account_id" = "o"."account_id"
  where "o"."status" = ?
  order by "o"."id"
  limit ?;

-- PostgreSQL
select "o"."id", "o"."account_id", "o"."month", "o"."amount_micro", "o"."status", "p"."legal_name", "p"."address", "p"."country", "p"."tax_id", "p"."method", "p"."account", "p"."bank_code"
  from "payouts" as "o"
  left join "payee_profiles" as "p" on "p"."account_id" = "o"."account_id"
  where "o"."status" = $1
  order by "o"."id"
  limit $2;

-- sumPayoutsByStatus

-- SQLite
select "status", count(*) as "payouts", coalesce(sum(amount_micro), 0) as "amount_micro"
  from "payouts"
  group by "status";

-- PostgreSQL
select "status", count(*) as "payouts", coalesce(sum(amount_micro), 0) as "amount_micro"
  from "payouts"
  group by "status";
