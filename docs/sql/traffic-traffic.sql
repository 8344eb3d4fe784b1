-- Made by "npm run sql" from apps/api/src/traffic/traffic.table.ts; do not edit.

-- selectLatestSessions

-- SQLite
select "id", "mode", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score"
  from "session_records"
  where "account_id" = ? and "id" >= ? and "id" < ?
  order by "id" desc
  limit ?;

-- PostgreSQL
select "id", "mode", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score"
  from "session_records"
  where "account_id" = $1 and "id" >= $2 and "id" < $3
  order by "id" desc
  limit $4;

-- selectHours

-- SQLite
select "hour", "summary"
  from "session_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  order by "hour"
  limit ?;

-- PostgreSQL
select "hour", "summary"
  from "session_hours"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  order by "hour"
  limit $4;

-- insertHours

-- SQLite
insert into "session_hours" ("account_id", "hour", "summary")
  values (?, ?, ?)
  on conflict ("account_id", "hour") do nothing;

-- PostgreSQL
insert into "session_hours" ("account_id", "hour", "summary")
  values ($1, $2, $3)
  on conflict ("account_id", "hour") do nothing;

-- selectActiveAccounts

-- SQLite
select "account_id"
  from "ledger_heads"
  where "account_id" > ? and "at" >= ? and "seq" > ?
  order by "account_id"
  limit ?;

-- PostgreSQL
select "account_id"
  from "ledger_heads"
  where "account_id" > $1 and "at" >= $2 and "seq" > $3
  order by "account_id"
  limit $4;

-- selectHoursToSum

-- SQLite
select distinct "u"."hour"
  from "usage_rollups" as "u"
  left join "session_hours" as "h" on "h"."account_id" = "u"."account_id" and "h"."hour" = "u"."hour"
  where "u"."account_id" = ? and "u"."hour" >= ? and "u"."hour" < ? and "h"."hour" is null
  order by "u"."hour";

-- PostgreSQL
select distinct "u"."hour"
  from "usage_rollups" as "u"
  left join "session_hours" as "h" on "h"."account_id" = "u"."account_id" and "h"."hour" = "u"."hour"
  where "u"."account_id" = $1 and "u"."hour" >= $2 and "u"."hour" < $3 and "h"."hour" is null
  order by "u"."hour";
