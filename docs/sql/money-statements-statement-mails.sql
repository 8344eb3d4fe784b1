-- Made by "npm run sql" from apps/api/src/money/statements/statement-mails.table.ts; do not edit.

-- selectAccountsToMail

-- SQLite
select "a"."id", "a"."email"
  from "accounts" as "a"
  where "a"."id" > ? and "a"."status" != ? and "a"."demo" = ? and "a"."verified_at" is not null and not exists (select "s"."month"
  from "statement_mails" as "s"
  where "s"."account_id" = "a"."id" and "s"."month" = ?) and (exists (select "u"."hour"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."hour" >= ? and "u"."hour" < ?) or exists (select "m"."hour"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" >= ? and "m"."hour" < ?))
  order by "a"."id"
  limit ?;

-- PostgreSQL
select "a"."id", "a"."email"
  from "accounts" as "a"
  where "a"."id" > $1 and "a"."status" != $2 and "a"."demo" = $3 and "a"."verified_at" is not null and not exists (select "s"."month"
  from "statement_mails" as "s"
  where "s"."account_id" = "a"."id" and "s"."month" = $4) and (exists (select "u"."hour"
  from "usage_rollups" as "u"
  where "u"."account_id" = "a"."id" and "u"."hour" >= $5 and "u"."hour" < $6) or exists (select "m"."hour"
  from "movement_hours" as "m"
  where "m"."account_id" = "a"."id" and "m"."hour" >= $7 and "m"."hour" < $8))
  order by "a"."id"
  limit $9;

-- insertStatementMail

-- SQLite
insert into "statement_mails" ("account_id", "month", "queued_at")
  values (?, ?, ?)
  on conflict ("account_id", "month") do nothing;

-- PostgreSQL
insert into "statement_mails" ("account_id", "month", "queued_at")
  values ($1, $2, $3)
  on conflict ("account_id", "month") do nothing;
