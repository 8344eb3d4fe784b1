-- Made by "npm run sql" from apps/api/src/money/payouts/payouts.table.ts; do not edit.

-- selectPayoutCandidates

-- SQLite
select "a"."id", "a"."email", "a"."status", "a"."demo", "h"."balance_micro", "h"."spendable_micro", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> ? and "u"."hour" < ?) as "calls_at_end", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> ? and "m"."hour" < ?) as "movements_at_end", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> ? and "u"."hour" >= ?) as "calls_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> ? and "m"."hour" >= ?) as "movements_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> ? and "m"."hour" >= ? and "m"."kind" in (?, ?, ?)) as "out_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> ? and "m"."hour" >= ? and "m"."kind" = ? and "m"."developer_micro" < ?) as "taken_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> ? and "m"."kind" in (?, ?)) as "paid_out", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = ? and "c"."waiting_id" is null and "c"."at" < ?) as "pending_before_end", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = ? and "c"."waiting_id" is null) as "pending", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> ? and "u"."payer" = ? and "u"."hour" >= coalesce(s.confirmed_to, 0)) as "pending_calls", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> ? and "u"."payer" = ? and "u"."hour" >= coalesce(s.confirmed_to, 0) and "u"."hour" < ?) as "pending_calls_before_end", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= coalesce(s.confirmed_to, 0)) as "reversed_of_pending", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= coalesce(s.confirmed_to, 0) and "d"."day" < ?) as "reversed_of_pending_before_end", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= ?) as "reversed_calls_since", (select coalesce(sum(r.developer_micro), 0) as "sum"
  from "clicks" as "r"
  where "r"."account_id" = "a"."id" and "r"."status" = ? and "r"."at" >= ?) as "reversed_clicks_since", (select coalesce(sum(o.amount_micro), 0) as "sum"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in (?, ?, ?)) as "in_payout", (select coalesce(sum(o.unreviewed_micro), 0) as "sum"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in (?, ?, ?, ?)) as "unreviewed_promised", (select max("o"."month") as "month"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in (?, ?, ?, ?)) as "paid_month", (select "e"."at"
  from "ledger_entries" as "e"
  where "e"."account_id" = "a"."id" and "e"."seq" = ?) as "first_at"
  from "accounts" as "a"
  inner join "ledger_heads" as "h" on "h"."account_id" = "a"."id"
  left join "call_settlements" as "s" on "s"."account_id" = "a"."id"
  where "a"."id" > ? and "a"."demo" = ? and "h"."balance_micro" > ?
  order by "a"."id"
  limit ?;

-- PostgreSQL
select "a"."id", "a"."email", "a"."status", "a"."demo", "h"."balance_micro", "h"."spendable_micro", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> $1 and "u"."hour" < $2) as "calls_at_end", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> $3 and "m"."hour" < $4) as "movements_at_end", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> $5 and "u"."hour" >= $6) as "calls_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> $7 and "m"."hour" >= $8) as "movements_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> $9 and "m"."hour" >= $10 and "m"."kind" in ($11, $12, $13)) as "out_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> $14 and "m"."hour" >= $15 and "m"."kind" = $16 and "m"."developer_micro" < $17) as "taken_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> $18 and "m"."kind" in ($19, $20)) as "paid_out", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = $21 and "c"."waiting_id" is null and "c"."at" < $22) as "pending_before_end", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = $23 and "c"."waiting_id" is null) as "pending", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> $24 and "u"."payer" = $25 and "u"."hour" >= coalesce(s.confirmed_to, 0)) as "pending_calls", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> $26 and "u"."payer" = $27 and "u"."hour" >= coalesce(s.confirmed_to, 0) and "u"."hour" < $28) as "pending_calls_before_end", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= coalesce(s.confirmed_to, 0)) as "reversed_of_pending", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= coalesce(s.confirmed_to, 0) and "d"."day" < $29) as "reversed_of_pending_before_end", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= $30) as "reversed_calls_since", (select coalesce(sum(r.developer_micro), 0) as "sum"
  from "clicks" as "r"
  where "r"."account_id" = "a"."id" and "r"."status" = $31 and "r"."at" >= $32) as "reversed_clicks_since", (select coalesce(sum(o.amount_micro), 0) as "sum"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in ($33, $34, $35)) as "in_payout", (select coalesce(sum(o.unreviewed_micro), 0) as "sum"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in ($36, $37, $38, $39)) as "unreviewed_promised", (select max("o"."month") as "month"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in ($40, $41, $42, $43)) as "paid_month", (select "e"."at"
  from "ledger_entries" as "e"
  where "e"."account_id" = "a"."id" and "e"."seq" = $44) as "first_at"
  from "accounts" as "a"
  inner join "ledger_heads" as "h" on "h"."account_id" = "a"."id"
  left join "call_settlements" as "s" on "s"."account_id" = "a"."id"
  where "a"."id" > $45 and "a"."demo" = $46 and "h"."balance_micro" > $47
  order by "a"."id"
  limit $48;

-- selectMoneyOfAccounts

-- SQLite
select "a"."id", "a"."email", "a"."status", "a"."demo", "h"."balance_micro", "h"."spendable_micro", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> ? and "u"."hour" < ?) as "calls_at_end", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> ? and "m"."hour" < ?) as "movements_at_end", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> ? and "u"."hour" >= ?) as "calls_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> ? and "m"."hour" >= ?) as "movements_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> ? and "m"."hour" >= ? and "m"."kind" in (?, ?, ?)) as "out_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> ? and "m"."hour" >= ? and "m"."kind" = ? and "m"."developer_micro" < ?) as "taken_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> ? and "m"."kind" in (?, ?)) as "paid_out", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = ? and "c"."waiting_id" is null and "c"."at" < ?) as "pending_before_end", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = ? and "c"."waiting_id" is null) as "pending", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> ? and "u"."payer" = ? and "u"."hour" >= coalesce(s.confirmed_to, 0)) as "pending_calls", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> ? and "u"."payer" = ? and "u"."hour" >= coalesce(s.confirmed_to, 0) and "u"."hour" < ?) as "pending_calls_before_end", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= coalesce(s.confirmed_to, 0)) as "reversed_of_pending", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= coalesce(s.confirmed_to, 0) and "d"."day" < ?) as "reversed_of_pending_before_end", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= ?) as "reversed_calls_since", (select coalesce(sum(r.developer_micro), 0) as "sum"
  from "clicks" as "r"
  where "r"."account_id" = "a"."id" and "r"."status" = ? and "r"."at" >= ?) as "reversed_clicks_since", (select coalesce(sum(o.amount_micro), 0) as "sum"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in (?, ?, ?)) as "in_payout", (select coalesce(sum(o.unreviewed_micro), 0) as "sum"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in (?, ?, ?, ?)) as "unreviewed_promised", (select max("o"."month") as "month"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in (?, ?, ?, ?)) as "paid_month", (select "e"."at"
  from "ledger_entries" as "e"
  where "e"."account_id" = "a"."id" and "e"."seq" = ?) as "first_at"
  from "accounts" as "a"
  inner join "ledger_heads" as "h" on "h"."account_id" = "a"."id"
  left join "call_settlements" as "s" on "s"."account_id" = "a"."id"
  where "a"."id" in (?);

-- PostgreSQL
select "a"."id", "a"."email", "a"."status", "a"."demo", "h"."balance_micro", "h"."spendable_micro", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> $1 and "u"."hour" < $2) as "calls_at_end", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> $3 and "m"."hour" < $4) as "movements_at_end", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> $5 and "u"."hour" >= $6) as "calls_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> $7 and "m"."hour" >= $8) as "movements_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> $9 and "m"."hour" >= $10 and "m"."kind" in ($11, $12, $13)) as "out_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> $14 and "m"."hour" >= $15 and "m"."kind" = $16 and "m"."developer_micro" < $17) as "taken_since", (select coalesce(sum(developer_micro), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."payer" <> $18 and "m"."kind" in ($19, $20)) as "paid_out", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = $21 and "c"."waiting_id" is null and "c"."at" < $22) as "pending_before_end", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = $23 and "c"."waiting_id" is null) as "pending", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> $24 and "u"."payer" = $25 and "u"."hour" >= coalesce(s.confirmed_to, 0)) as "pending_calls", (select coalesce(sum(developer_micro), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."payer" <> $26 and "u"."payer" = $27 and "u"."hour" >= coalesce(s.confirmed_to, 0) and "u"."hour" < $28) as "pending_calls_before_end", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= coalesce(s.confirmed_to, 0)) as "reversed_of_pending", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= coalesce(s.confirmed_to, 0) and "d"."day" < $29) as "reversed_of_pending_before_end", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "call_days" as "d"
  where "d"."account_id" = "a"."id" and "d"."day" >= $30) as "reversed_calls_since", (select coalesce(sum(r.developer_micro), 0) as "sum"
  from "clicks" as "r"
  where "r"."account_id" = "a"."id" and "r"."status" = $31 and "r"."at" >= $32) as "reversed_clicks_since", (select coalesce(sum(o.amount_micro), 0) as "sum"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in ($33, $34, $35)) as "in_payout", (select coalesce(sum(o.unreviewed_micro), 0) as "sum"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in ($36, $37, $38, $39)) as "unreviewed_promised", (select max("o"."month") as "month"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in ($40, $41, $42, $43)) as "paid_month", (select "e"."at"
  from "ledger_entries" as "e"
  where "e"."account_id" = "a"."id" and "e"."seq" = $44) as "first_at"
  from "accounts" as "a"
  inner join "ledger_heads" as "h" on "h"."account_id" = "a"."id"
  left join "call_settlements" as "s" on "s"."account_id" = "a"."id"
  where "a"."id" in ($45);

-- sumBalances

-- SQLite
select coalesce(sum(h.balance_micro), 0) as "balance_micro"
  from "ledger_heads" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  where "a"."demo" = ? and "h"."balance_micro" > ?;

-- PostgreSQL
select coalesce(sum(h.balance_micro), 0) as "balance_micro"
  from "ledger_heads" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  where "a"."demo" = $1 and "h"."balance_micro" > $2;

-- lockFunding

-- SQLite
select 1 as "locked";

-- PostgreSQL
select pg_advisory_xact_lock($1) as "locked";

-- insertPayouts

-- SQLite
insert into "payouts" ("id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq", "proposed_by", "payee")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing
  returning "id";

-- PostgreSQL
insert into "payouts" ("id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq", "proposed_by", "payee")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  on conflict do nothing
  returning "id";

-- selectPayouts

-- SQLite
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq", "cancelled_at", "proposed_by", "approved_by", "export_id"
  from "payouts"
  where "status" = ? and "account_id" = ?
  order by "proposed_at" desc, "id" desc
  limit ?;

-- PostgreSQL
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq", "cancelled_at", "proposed_by", "approved_by", "export_id"
  from "payouts"
  where "status" = $1 and "account_id" = $2
  order by "proposed_at" desc, "id" desc
  limit $3;

-- selectSettledPayout

-- SQLite
select "id"
  from "payouts"
  where "account_id" = ? and "status" in (?, ?)
  limit ?;

-- PostgreSQL
select "id"
  from "payouts"
  where "account_id" = $1 and "status" in ($2, $3)
  limit $4;

-- selectPayoutById

-- SQLite
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq", "cancelled_at", "proposed_by", "approved_by", "export_id"
  from "payouts"
  where "id" = ?;

-- PostgreSQL
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq", "cancelled_at", "proposed_by", "approved_by", "export_id"
  from "payouts"
  where "id" = $1;

-- selectKeptPayees

-- SQLite
select "payee", "proposed_at"
  from "payouts"
  where "account_id" = ? and "status" != ? and "payee" is not null
  order by "proposed_at";

-- PostgreSQL
select "payee", "proposed_at"
  from "payouts"
  where "account_id" = $1 and "status" != $2 and "payee" is not null
  order by "proposed_at";

-- lockPayout

-- SQLite
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq", "cancelled_at", "proposed_by", "approved_by", "export_id", "payee"
  from "payouts"
  where "id" = ?;

-- PostgreSQL
select "id", "account_id", "month", "amount_micro", "status", "proposed_at", "approved_at", "exported_at", "paid_at", "returned_at", "note", "payout_seq", "returned_seq", "cancelled_at", "proposed_by", "approved_by", "export_id", "payee"
  from "payouts"
  where "id" = $1 for update;

-- movePayout

-- SQLite
update "payouts" set "paid_at" = ?, "payout_seq" = ?, "status" = ?
  where "id" = ? and "status" = ?;

-- PostgreSQL
update "payouts" set "paid_at" = $1, "payout_seq" = $2, "status" = $3
  where "id" = $4 and "status" = $5;

-- selectPayoutsOfExport

-- SQLite
select "o"."id", "o"."account_id", "o"."month", "o"."amount_micro", "o"."payee", "a"."demo"
  from "payouts" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  where "o"."export_id" = ?
  order by "o"."id"
  limit ?;

-- PostgreSQL
select "o"."id", "o"."account_id", "o"."month", "o"."amount_micro", "o"."payee", "a"."demo"
  from "payouts" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  where "o"."export_id" = $1
  order by "o"."id"
  limit $2;

-- selectLastExport

-- SQLite
select "export_id"
  from "payouts"
  where "export_id" is not null
  order by "exported_at" desc, "export_id" desc
  limit ?;

-- PostgreSQL
select "export_id"
  from "payouts"
  where "export_id" is not null
  order by "exported_at" desc, "export_id" desc
  limit $1;

-- selectPayoutIds

-- SQLite
select "o"."id"
  from "payouts" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  where "o"."status" = ? and "a"."demo" = ?
  order by "o"."id"
  limit ?;

-- PostgreSQL
select "o"."id"
  from "payouts" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  where "o"."status" = $1 and "a"."demo" = $2
  order by "o"."id"
  limit $3;

-- setPayee

-- SQLite
update "payouts" set "payee" = ?
  where "id" = ? and "payee" is null;

-- PostgreSQL
update "payouts" set "payee" = $1
  where "id" = $2 and "payee" is null;

-- sumPayoutsByStatus

-- SQLite
select "o"."status", count(*) as "payouts", coalesce(sum(o.amount_micro), 0) as "amount_micro"
  from "payouts" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  where "a"."demo" = ?
  group by "o"."status";

-- PostgreSQL
select "o"."status", count(*) as "payouts", coalesce(sum(o.amount_micro), 0) as "amount_micro"
  from "payouts" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  where "a"."demo" = $1
  group by "o"."status";

-- sumUnreviewed

-- SQLite
select coalesce(sum(o.unreviewed_micro), 0) as "unreviewed_micro"
  from "payouts" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  where "a"."demo" = ? and "o"."month" = ? and "o"."status" in (?, ?, ?, ?);

-- PostgreSQL
select coalesce(sum(o.unreviewed_micro), 0) as "unreviewed_micro"
  from "payouts" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  where "a"."demo" = $1 and "o"."month" = $2 and "o"."status" in ($3, $4, $5, $6);

-- selectCancellablePayouts

-- SQLite
select "id", "account_id", "month", "amount_micro", "status"
  from "payouts"
  where "account_id" = ? and "status" in (?, ?);

-- PostgreSQL
select "id", "account_id", "month", "amount_micro", "status"
  from "payouts"
  where "account_id" = $1 and "status" in ($2, $3);

-- cancelOpenPayouts

-- SQLite
update "payouts" set "status" = ?, "cancelled_at" = ?, "note" = ?
  where "account_id" = ? and "status" in (?, ?);

-- PostgreSQL
update "payouts" set "status" = $1, "cancelled_at" = $2, "note" = $3
  where "account_id" = $4 and "status" in ($5, $6);

-- erasePayeesOfPayouts

-- SQLite
update "payouts" set "payee" = ?
  where "account_id" = ? and "payee" is not null;

-- PostgreSQL
update "payouts" set "payee" = $1
  where "account_id" = $2 and "payee" is not null;
