-- Made by "npm run sql" from apps/api/src/payouts/payouts.table.ts; do not edit.

-- selectPayoutCandidates

-- SQLite
select "a"."id", "a"."email", "a"."status", "a"."demo", "h"."balance_micro", (select coalesce(sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."hour" < ?) as "calls_at_end", (select coalesce(sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" < ?) as "movements_at_end", (select coalesce(sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" >= ? and "m"."kind" in (?, ?, ?)) as "out_since", (select coalesce(sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end), 0) as "sum"
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
select "a"."id", "a"."email", "a"."status", "a"."demo", "h"."balance_micro", (select coalesce(sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end), 0) as "sum"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."hour" < $1) as "calls_at_end", (select coalesce(sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" < $2) as "movements_at_end", (select coalesce(sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" >= $3 and "m"."kind" in ($4, $5, $6)) as "out_since", (select coalesce(sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end), 0) as "sum"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" >= $7 and "m"."kind" = $8 and "m"."developer_micro" < $9) as "taken_since", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = $10 and "c"."at" < $11) as "pending_before_end", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = $12) as "pending", (select count(*) as "count"
  from "payee_profiles" as "p"
  where "p"."account_id" = "a"."id") as "payees", (select count(*) as "count"
  from "findings" as "f"
  where "f"."account_id" = "a"."id" and "f"."closed_at" is null) as "open_findings", (select count(*) as "count"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in ($13, $14, $15)) as "open_payouts"
  from "accounts" as "a"
  inner join "ledger_heads" as "h" on "h"."account_id" = "a"."id"
  where "a"."id" > $16 and "h"."balance_micro" > $17
  order by "a"."id"
  limit $18;

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

-- sumMovements

-- SQLite
select "m"."kind", coalesce(sum(m.gross_micro), 0) as "gross_micro", coalesce(sum(m.developer_micro), 0) as "developer_micro", coalesce(sum(m.platform_micro), 0) as "platform_micro"
  from "movement_hours" as "m"
  left join "accounts" as "a" on "a"."id" = "m"."account_id"
  where ("a"."demo" is null or "a"."demo" = ?) and "m"."hour" >= ? and "m"."hour" < ?
  group by "m"."kind";

-- PostgreSQL
select "m"."kind", coalesce(sum(m.gross_micro), 0) as "gross_micro", coalesce(sum(m.developer_micro), 0) as "developer_micro", coalesce(sum(m.platform_micro), 0) as "platform_micro"
  from "movement_hours" as "m"
  left join "accounts" as "a" on "a"."id" = "m"."account_id"
  where ("a"."demo" is null or "a"."demo" = $1) and "m"."hour" >= $2 and "m"."hour" < $3
  group by "m"."kind";

-- sumFunding

-- SQLite
select coalesce(sum(gross_micro), 0) as "gross_micro"
  from "movement_hours"
  where "account_id" = ? and "kind" = ?;

-- PostgreSQL
select coalesce(sum(gross_micro), 0) as "gross_micro"
  from "movement_hours"
  where "account_id" = $1 and "kind" = $2;

-- sumCalls

-- SQLite
select "u"."payer", coalesce(sum(u.calls), 0) as "calls", coalesce(sum(u.gross_micro), 0) as "gross_micro", coalesce(sum(u.developer_micro), 0) as "developer_micro", coalesce(sum(u.platform_micro), 0) as "platform_micro"
  from "usage_rollups" as "u"
  inner join "accounts" as "a" on "a"."id" = "u"."account_id"
  where "a"."demo" = ? and "u"."hour" >= ? and "u"."hour" < ?
  group by "u"."payer";

-- PostgreSQL
select "u"."payer", coalesce(sum(u.calls), 0) as "calls", coalesce(sum(u.gross_micro), 0) as "gross_micro", coalesce(sum(u.developer_micro), 0) as "developer_micro", coalesce(sum(u.platform_micro), 0) as "platform_micro"
  from "usage_rollups" as "u"
  inner join "accounts" as "a" on "a"."id" = "u"."account_id"
  where "a"."demo" = $1 and "u"."hour" >= $2 and "u"."hour" < $3
  group by "u"."payer";

-- sumPayoutsByStatus

-- SQLite
select "status", count(*) as "payouts", coalesce(sum(amount_micro), 0) as "amount_micro"
  from "payouts"
  group by "status";

-- PostgreSQL
select "status", count(*) as "payouts", coalesce(sum(amount_micro), 0) as "amount_micro"
  from "payouts"
  group by "status";

-- sumPendingClicks

-- SQLite
select coalesce(sum(c.developer_micro), 0) as "developer_micro", coalesce(sum(c.price_micro), 0) as "price_micro"
  from "clicks" as "c"
  inner join "accounts" as "a" on "a"."id" = "c"."account_id"
  where "c"."status" = ? and "a"."demo" = ?;

-- PostgreSQL
select coalesce(sum(c.developer_micro), 0) as "developer_micro", coalesce(sum(c.price_micro), 0) as "price_micro"
  from "clicks" as "c"
  inner join "accounts" as "a" on "a"."id" = "c"."account_id"
  where "c"."status" = $1 and "a"."demo" = $2;
