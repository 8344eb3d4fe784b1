-- Made by "npm run sql" from apps/api/src/console/operator/operator.table.ts; do not edit.

-- selectOperatedAccounts

-- SQLite
select "a"."id", "a"."email", "a"."tier", "a"."status", "a"."verified_at", "a"."operator", "a"."demo", "a"."created_at", "h"."balance_micro", "r"."tier" as "requested_tier", "r"."id" as "tier_request_id", (select count(*) as "count"
  from "findings" as "f"
  where "f"."account_id" = "a"."id" and "f"."closed_at" is null) as "open_findings"
  from "accounts" as "a"
  left join "ledger_heads" as "h" on "h"."account_id" = "a"."id"
  left join "tier_requests" as "r" on "r"."account_id" = "a"."id" and "r"."state" = ?
  where "a"."id" > ? and "r"."id" is not null and ("a"."id" = ? or "a"."email" like ? escape '\')
  order by "a"."id"
  limit ?;

-- PostgreSQL
select "a"."id", "a"."email", "a"."tier", "a"."status", "a"."verified_at", "a"."operator", "a"."demo", "a"."created_at", "h"."balance_micro", "r"."tier" as "requested_tier", "r"."id" as "tier_request_id", (select count(*) as "count"
  from "findings" as "f"
  where "f"."account_id" = "a"."id" and "f"."closed_at" is null) as "open_findings"
  from "accounts" as "a"
  left join "ledger_heads" as "h" on "h"."account_id" = "a"."id"
  left join "tier_requests" as "r" on "r"."account_id" = "a"."id" and "r"."state" = $1
  where "a"."id" > $2 and "r"."id" is not null and ("a"."id" = $3 or "a"."email" like $4 escape '\')
  order by "a"."id"
  limit $5;
