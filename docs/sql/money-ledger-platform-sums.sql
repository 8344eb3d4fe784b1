-- Made by "npm run sql" from apps/api/src/money/ledger/platform-sums.table.ts; do not edit.

-- sumAllMovements

-- SQLite
select "m"."kind", "m"."payer", coalesce(sum("m"."gross_micro"), 0) as "gross_micro", coalesce(sum("m"."developer_micro"), 0) as "developer_micro", coalesce(sum("m"."platform_micro"), 0) as "platform_micro"
  from "movement_hours" as "m"
  left join "accounts" as "a" on "a"."id" = "m"."account_id"
  where ("m"."account_id" = ? or "a"."demo" = ?) and "m"."hour" >= ? and "m"."hour" < ?
  group by "m"."kind", "m"."payer";

-- PostgreSQL
select "m"."kind", "m"."payer", coalesce(sum("m"."gross_micro"), 0) as "gross_micro", coalesce(sum("m"."developer_micro"), 0) as "developer_micro", coalesce(sum("m"."platform_micro"), 0) as "platform_micro"
  from "movement_hours" as "m"
  left join "accounts" as "a" on "a"."id" = "m"."account_id"
  where ("m"."account_id" = $1 or "a"."demo" = $2) and "m"."hour" >= $3 and "m"."hour" < $4
  group by "m"."kind", "m"."payer";

-- sumFunding

-- SQLite
select coalesce(sum(gross_micro), 0) as "gross_micro"
  from "movement_hours"
  where "account_id" = ? and "kind" = ?;

-- PostgreSQL
select coalesce(sum(gross_micro), 0) as "gross_micro"
  from "movement_hours"
  where "account_id" = $1 and "kind" = $2;

-- sumAllCalls

-- SQLite
select "u"."payer", coalesce(sum("u"."calls"), 0) as "calls", coalesce(sum("u"."gross_micro"), 0) as "gross_micro", coalesce(sum("u"."developer_micro"), 0) as "developer_micro", coalesce(sum("u"."platform_micro"), 0) as "platform_micro"
  from "usage_rollups" as "u"
  inner join "accounts" as "a" on "a"."id" = "u"."account_id"
  where "a"."demo" = ? and "u"."hour" >= ? and "u"."hour" < ?
  group by "u"."payer";

-- PostgreSQL
select "u"."payer", coalesce(sum("u"."calls"), 0) as "calls", coalesce(sum("u"."gross_micro"), 0) as "gross_micro", coalesce(sum("u"."developer_micro"), 0) as "developer_micro", coalesce(sum("u"."platform_micro"), 0) as "platform_micro"
  from "usage_rollups" as "u"
  inner join "accounts" as "a" on "a"."id" = "u"."account_id"
  where "a"."demo" = $1 and "u"."hour" >= $2 and "u"."hour" < $3
  group by "u"."payer";

-- sumPendingClicks

-- SQLite
select coalesce(sum(CASE WHEN c.waiting_id IS NULL THEN c.developer_micro ELSE 0 END), 0) as "developer_micro", coalesce(sum("c"."price_micro"), 0) as "price_micro"
  from "clicks" as "c"
  inner join "accounts" as "a" on "a"."id" = "c"."account_id"
  where "c"."status" = ? and "a"."demo" = ?;

-- PostgreSQL
select coalesce(sum(CASE WHEN c.waiting_id IS NULL THEN c.developer_micro ELSE 0 END), 0) as "developer_micro", coalesce(sum("c"."price_micro"), 0) as "price_micro"
  from "clicks" as "c"
  inner join "accounts" as "a" on "a"."id" = "c"."account_id"
  where "c"."status" = $1 and "a"."demo" = $2;
