-- Made by "npm run sql" from apps/api/src/money/payouts/unsettled.table.ts; do not edit.

-- selectUnsettled

-- SQLite
select "a"."email", "a"."status", (select count(*) as "count"
  from "money_holds" as "h"
  where "h"."account_id" = "a"."id" and "h"."lifted_at" is null) as "open_holds", (select count(*) as "count"
  from "findings" as "f"
  where "f"."account_id" = "a"."id" and "f"."closed_at" is null) as "open_findings", (select count(*) as "count"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" != ?) as "payouts_made", (select count(*) as "count"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in (?, ?, ?)) as "open_payouts", (select coalesce(sum(o.amount_micro), 0) as "sum"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" = ?) as "exported_micro", (select count(*) as "count"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = ?) as "pending_clicks", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = ?) as "pending_micro"
  from "accounts" as "a"
  where "a"."id" = ?;

-- PostgreSQL
select "a"."email", "a"."status", (select count(*) as "count"
  from "money_holds" as "h"
  where "h"."account_id" = "a"."id" and "h"."lifted_at" is null) as "open_holds", (select count(*) as "count"
  from "findings" as "f"
  where "f"."account_id" = "a"."id" and "f"."closed_at" is null) as "open_findings", (select count(*) as "count"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" != $1) as "payouts_made", (select count(*) as "count"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" in ($2, $3, $4)) as "open_payouts", (select coalesce(sum(o.amount_micro), 0) as "sum"
  from "payouts" as "o"
  where "o"."account_id" = "a"."id" and "o"."status" = $5) as "exported_micro", (select count(*) as "count"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = $6) as "pending_clicks", (select coalesce(sum(c.developer_micro), 0) as "sum"
  from "clicks" as "c"
  where "c"."account_id" = "a"."id" and "c"."status" = $7) as "pending_micro"
  from "accounts" as "a"
  where "a"."id" = $8;
