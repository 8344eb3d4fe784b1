-- Made by "npm run sql" from apps/api/src/operator/operator.table.ts; do not edit.

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

-- selectEmails

-- SQLite
select "id", "email"
  from "accounts"
  where "id" in (?);

-- PostgreSQL
select "id", "email"
  from "accounts"
  where "id" in ($1);

-- selectCampaignNames

-- SQLite
select "id", "name"
  from "campaigns"
  where "id" in (?);

-- PostgreSQL
select "id", "name"
  from "campaigns"
  where "id" in ($1);

-- selectNewestEntries

-- SQLite
select "seq", "at", "ref", "gross_micro", "hash"
  from "ledger_entries"
  where "account_id" = ?
  order by "seq" desc
  limit ?;

-- PostgreSQL
select "seq", "at", "ref", "gross_micro", "hash"
  from "ledger_entries"
  where "account_id" = $1
  order by "seq" desc
  limit $2;

-- sumCallsOfSpan

-- SQLite
select coalesce(sum(u.calls), 0) as "calls", coalesce(sum(u.gross_micro), 0) as "gross_micro", coalesce(sum(u.developer_micro), 0) as "developer_micro", coalesce(sum(u.platform_micro), 0) as "platform_micro"
  from "usage_rollups" as "u"
  inner join "accounts" as "a" on "a"."id" = "u"."account_id"
  where "u"."hour" >= ? and "u"."hour" < ? and "a"."demo" = ?;

-- PostgreSQL
select coalesce(sum(u.calls), 0) as "calls", coalesce(sum(u.gross_micro), 0) as "gross_micro", coalesce(sum(u.developer_micro), 0) as "developer_micro", coalesce(sum(u.platform_micro), 0) as "platform_micro"
  from "usage_rollups" as "u"
  inner join "accounts" as "a" on "a"."id" = "u"."account_id"
  where "u"."hour" >= $1 and "u"."hour" < $2 and "a"."demo" = $3;

-- sumMovementsOfSpan

-- SQLite
select "m"."kind", coalesce(sum(m.gross_micro), 0) as "gross_micro", coalesce(sum(m.developer_micro), 0) as "developer_micro", coalesce(sum(m.platform_micro), 0) as "platform_micro"
  from "movement_hours" as "m"
  left join "accounts" as "a" on "a"."id" = "m"."account_id"
  where "m"."hour" >= ? and "m"."hour" < ? and ("a"."demo" is null or "a"."demo" = ?)
  group by "m"."kind";

-- PostgreSQL
select "m"."kind", coalesce(sum(m.gross_micro), 0) as "gross_micro", coalesce(sum(m.developer_micro), 0) as "developer_micro", coalesce(sum(m.platform_micro), 0) as "platform_micro"
  from "movement_hours" as "m"
  left join "accounts" as "a" on "a"."id" = "m"."account_id"
  where "m"."hour" >= $1 and "m"."hour" < $2 and ("a"."demo" is null or "a"."demo" = $3)
  group by "m"."kind";

-- selectTierRequest

-- SQLite
select "id", "account_id", "tier", "state"
  from "tier_requests"
  where "id" = ?;

-- PostgreSQL
select "id", "account_id", "tier", "state"
  from "tier_requests"
  where "id" = $1;

-- decideTierRequest

-- SQLite
update "tier_requests" set "state" = ?, "decided_at" = ?
  where "id" = ? and "state" = ?;

-- PostgreSQL
update "tier_requests" set "state" = $1, "decided_at" = $2
  where "id" = $3 and "state" = $4;

-- countMailsByState

-- SQLite
select "state", count(*) as "mails"
  from "mails"
  group by "state";

-- PostgreSQL
select "state", count(*) as "mails"
  from "mails"
  group by "state";

-- selectTrackingKeys

-- SQLite
select "id", "created_at", "retired_at"
  from "tracking_keys"
  order by "created_at" desc;

-- PostgreSQL
select "id", "created_at", "retired_at"
  from "tracking_keys"
  order by "created_at" desc;
