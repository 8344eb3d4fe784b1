-- Made by "npm run sql" from apps/api/src/money/growth/growth.table.ts; do not edit.

-- sumSettledCalls

-- SQLite
select "u"."account_id", strftime('%Y-%m', "u"."hour" / 1000, 'unixepoch') as "month", coalesce(sum(u.developer_micro), 0) as "developer_micro", min(u.hour) as "first_at"
  from "usage_rollups" as "u"
  inner join "call_settlements" as "s" on "s"."account_id" = "u"."account_id"
  where "u"."account_id" in (?) and "u"."payer" = ? and "u"."hour" < ? and "u"."hour" < "s"."confirmed_to"
  group by "u"."account_id", strftime('%Y-%m', "u"."hour" / 1000, 'unixepoch');

-- PostgreSQL
select "u"."account_id", to_char(to_timestamp("u"."hour" / 1000) AT TIME ZONE 'UTC', 'YYYY-MM') as "month", coalesce(sum(u.developer_micro), 0) as "developer_micro", min(u.hour) as "first_at"
  from "usage_rollups" as "u"
  inner join "call_settlements" as "s" on "s"."account_id" = "u"."account_id"
  where "u"."account_id" in ($1) and "u"."payer" = $2 and "u"."hour" < $3 and "u"."hour" < "s"."confirmed_to"
  group by "u"."account_id", to_char(to_timestamp("u"."hour" / 1000) AT TIME ZONE 'UTC', 'YYYY-MM');

-- sumReversedCalls

-- SQLite
select "d"."account_id", strftime('%Y-%m', "d"."day" / 1000, 'unixepoch') as "month", coalesce(sum(d.reversed_developer_micro), 0) as "developer_micro"
  from "call_days" as "d"
  inner join "call_settlements" as "s" on "s"."account_id" = "d"."account_id"
  where "d"."account_id" in (?) and "d"."day" < ? and "d"."day" < "s"."confirmed_to" and "d"."reversed_developer_micro" > ?
  group by "d"."account_id", strftime('%Y-%m', "d"."day" / 1000, 'unixepoch');

-- PostgreSQL
select "d"."account_id", to_char(to_timestamp("d"."day" / 1000) AT TIME ZONE 'UTC', 'YYYY-MM') as "month", coalesce(sum(d.reversed_developer_micro), 0) as "developer_micro"
  from "call_days" as "d"
  inner join "call_settlements" as "s" on "s"."account_id" = "d"."account_id"
  where "d"."account_id" in ($1) and "d"."day" < $2 and "d"."day" < "s"."confirmed_to" and "d"."reversed_developer_micro" > $3
  group by "d"."account_id", to_char(to_timestamp("d"."day" / 1000) AT TIME ZONE 'UTC', 'YYYY-MM');

-- sumUnexaminedCalls

-- SQLite
select "w"."account_id", strftime('%Y-%m', "w"."day" / 1000, 'unixepoch') as "month", coalesce(sum(w.developer_micro), 0) as "developer_micro"
  from "waiting_earnings" as "w"
  inner join "call_settlements" as "s" on "s"."account_id" = "w"."account_id"
  where "w"."account_id" in (?) and "w"."day" < ? and "w"."day" < "s"."confirmed_to" and "w"."reason" <> ? and "w"."decision" is null
  group by "w"."account_id", strftime('%Y-%m', "w"."day" / 1000, 'unixepoch');

-- PostgreSQL
select "w"."account_id", to_char(to_timestamp("w"."day" / 1000) AT TIME ZONE 'UTC', 'YYYY-MM') as "month", coalesce(sum(w.developer_micro), 0) as "developer_micro"
  from "waiting_earnings" as "w"
  inner join "call_settlements" as "s" on "s"."account_id" = "w"."account_id"
  where "w"."account_id" in ($1) and "w"."day" < $2 and "w"."day" < "s"."confirmed_to" and "w"."reason" <> $3 and "w"."decision" is null
  group by "w"."account_id", to_char(to_timestamp("w"."day" / 1000) AT TIME ZONE 'UTC', 'YYYY-MM');

-- sumConfirmedClicks

-- SQLite
select "c"."account_id", strftime('%Y-%m', "c"."at" / 1000, 'unixepoch') as "month", coalesce(sum(c.developer_micro), 0) as "developer_micro", min(c.at) as "first_at"
  from "clicks" as "c"
  where "c"."account_id" in (?) and "c"."status" = ? and "c"."at" < ?
  group by "c"."account_id", strftime('%Y-%m', "c"."at" / 1000, 'unixepoch');

-- PostgreSQL
select "c"."account_id", to_char(to_timestamp("c"."at" / 1000) AT TIME ZONE 'UTC', 'YYYY-MM') as "month", coalesce(sum(c.developer_micro), 0) as "developer_micro", min(c.at) as "first_at"
  from "clicks" as "c"
  where "c"."account_id" in ($1) and "c"."status" = $2 and "c"."at" < $3
  group by "c"."account_id", to_char(to_timestamp("c"."at" / 1000) AT TIME ZONE 'UTC', 'YYYY-MM');

-- countOpenFindings

-- SQLite
select "account_id", count(*) as "findings"
  from "findings"
  where "account_id" in (?) and "closed_at" is null
  group by "account_id";

-- PostgreSQL
select "account_id", count(*) as "findings"
  from "findings"
  where "account_id" in ($1) and "closed_at" is null
  group by "account_id";

-- insertReview

-- SQLite
insert into "growth_reviews" ("id", "account_id", "monthly_micro", "reason", "reviewed_by", "reviewed_at", "granted_through")
  values (?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "growth_reviews" ("id", "account_id", "monthly_micro", "reason", "reviewed_by", "reviewed_at", "granted_through")
  values ($1, $2, $3, $4, $5, $6, $7);

-- selectReviews

-- SQLite
select "id", "account_id", "monthly_micro", "reviewed_at", "granted_through"
  from "growth_reviews"
  where "account_id" in (?)
  order by "reviewed_at", "id";

-- PostgreSQL
select "id", "account_id", "monthly_micro", "reviewed_at", "granted_through"
  from "growth_reviews"
  where "account_id" in ($1)
  order by "reviewed_at", "id";

-- selectNewestReviews

-- SQLite
select "r"."account_id", "a"."email", "r"."monthly_micro", "r"."reason", "r"."reviewed_by", "r"."reviewed_at", "r"."granted_through"
  from "growth_reviews" as "r"
  inner join "accounts" as "a" on "a"."id" = "r"."account_id"
  where not exists (select "n"."id"
  from "growth_reviews" as "n"
  where "n"."account_id" = "r"."account_id" and ("n"."reviewed_at" > "r"."reviewed_at" or ("n"."reviewed_at" = "r"."reviewed_at" and "n"."id" > "r"."id")))
  order by "r"."reviewed_at" desc, "r"."id" desc
  limit ?;

-- PostgreSQL
select "r"."account_id", "a"."email", "r"."monthly_micro", "r"."reason", "r"."reviewed_by", "r"."reviewed_at", "r"."granted_through"
  from "growth_reviews" as "r"
  inner join "accounts" as "a" on "a"."id" = "r"."account_id"
  where not exists (select "n"."id"
  from "growth_reviews" as "n"
  where "n"."account_id" = "r"."account_id" and ("n"."reviewed_at" > "r"."reviewed_at" or ("n"."reviewed_at" = "r"."reviewed_at" and "n"."id" > "r"."id")))
  order by "r"."reviewed_at" desc, "r"."id" desc
  limit $1;
