-- Made by "npm run sql" from apps/api/src/scoring/traffic/integrity.table.ts; do not edit.

-- selectAccountsToWatch

-- SQLite
select "h"."account_id"
  from "ledger_heads" as "h"
  where "h"."account_id" > ? and "h"."at" >= ? and exists (select 1 as "one"
  from "usage_rollups" as "u"
  where "u"."account_id" = "h"."account_id" and "u"."hour" >= ? and "u"."hour" < ? and "u"."payer" = ?) and not exists (select 1 as "one"
  from "integrity_evidence" as "e"
  where "e"."account_id" = "h"."account_id" and "e"."check_name" = ? and "e"."day" = ?)
  order by "h"."account_id"
  limit ?;

-- PostgreSQL
select "h"."account_id"
  from "ledger_heads" as "h"
  where "h"."account_id" > $1 and "h"."at" >= $2 and exists (select 1 as "one"
  from "usage_rollups" as "u"
  where "u"."account_id" = "h"."account_id" and "u"."hour" >= $3 and "u"."hour" < $4 and "u"."payer" = $5) and not exists (select 1 as "one"
  from "integrity_evidence" as "e"
  where "e"."account_id" = "h"."account_id" and "e"."check_name" = $6 and "e"."day" = $7)
  order by "h"."account_id"
  limit $8;

-- selectFirstUncheckedDay

-- SQLite
select min(u.hour - u.hour % ?) as "day"
  from "usage_rollups" as "u"
  left join "call_settlements" as "s" on "s"."account_id" = "u"."account_id"
  where "u"."payer" = ? and "u"."hour" >= coalesce(s.confirmed_to, 0) and (select count(*) as "count"
  from "integrity_evidence" as "e"
  where "e"."account_id" = "u"."account_id" and "e"."check_name" in (?, ?) and "e"."day" = u.hour - u.hour % ?) < ?;

-- PostgreSQL
select min(u.hour - u.hour % $1) as "day"
  from "usage_rollups" as "u"
  left join "call_settlements" as "s" on "s"."account_id" = "u"."account_id"
  where "u"."payer" = $2 and "u"."hour" >= coalesce(s.confirmed_to, 0) and (select count(*) as "count"
  from "integrity_evidence" as "e"
  where "e"."account_id" = "u"."account_id" and "e"."check_name" in ($3, $4) and "e"."day" = u.hour - u.hour % $5) < $6;

-- insertMarks

-- SQLite
insert into "integrity_marks" ("mark", "account_id", "session_id", "day")
  values (?, ?, ?, ?)
  on conflict ("mark", "account_id") do nothing;

-- PostgreSQL
insert into "integrity_marks" ("mark", "account_id", "session_id", "day")
  values ($1, $2, $3, $4)
  on conflict ("mark", "account_id") do nothing;

-- countMarks

-- SQLite
select count(*) as "count"
  from "integrity_marks"
  where "day" = ? and "account_id" = ?;

-- PostgreSQL
select count(*) as "count"
  from "integrity_marks"
  where "day" = $1 and "account_id" = $2;

-- selectSharedMarks

-- SQLite
select "m"."mark", "m"."session_id"
  from "integrity_marks" as "m"
  where "m"."day" = ? and "m"."account_id" = ? and exists (select 1 as "one"
  from "integrity_marks" as "o"
  where "o"."mark" = "m"."mark" and "o"."account_id" <> "m"."account_id" and "o"."session_id" < "m"."session_id")
  order by "m"."session_id";

-- PostgreSQL
select "m"."mark", "m"."session_id"
  from "integrity_marks" as "m"
  where "m"."day" = $1 and "m"."account_id" = $2 and exists (select 1 as "one"
  from "integrity_marks" as "o"
  where "o"."mark" = "m"."mark" and "o"."account_id" <> "m"."account_id" and "o"."session_id" < "m"."session_id")
  order by "m"."session_id";

-- deleteMarksBefore

-- SQLite
delete from "integrity_marks"
  where ("mark", "account_id") in (select "m"."mark", "m"."account_id"
  from "integrity_marks" as "m"
  where "m"."day" < ?
  limit ?);

-- PostgreSQL
delete from "integrity_marks"
  where ("mark", "account_id") in (select "m"."mark", "m"."account_id"
  from "integrity_marks" as "m"
  where "m"."day" < $1
  limit $2);
