-- Made by "npm run sql" from apps/api/src/scoring/traffic/traffic.table.ts; do not edit.

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

-- selectSomeHours

-- SQLite
select "hour", "summary"
  from "session_hours"
  where "account_id" = ? and "hour" in (?);

-- PostgreSQL
select "hour", "summary"
  from "session_hours"
  where "account_id" = $1 and "hour" in ($2);

-- insertHours

-- SQLite
insert into "session_hours" ("account_id", "hour", "summary")
  values (?, ?, ?)
  on conflict ("account_id", "hour") do nothing;

-- PostgreSQL
insert into "session_hours" ("account_id", "hour", "summary")
  values ($1, $2, $3)
  on conflict ("account_id", "hour") do nothing;

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

-- deleteHoursBefore

-- SQLite
delete from "session_hours"
  where ("account_id", "hour") in (select "h"."account_id", "h"."hour"
  from "session_hours" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  where "h"."hour" < ?
  limit ?);

-- PostgreSQL
delete from "session_hours"
  where ("account_id", "hour") in (select "h"."account_id", "h"."hour"
  from "session_hours" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  where "h"."hour" < $1
  limit $2);
