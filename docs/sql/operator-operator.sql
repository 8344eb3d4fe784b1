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
