-- Made by "npm run sql" from apps/api/src/access/requests/requests.table.ts; do not edit.

-- addToRequestHours

-- SQLite
insert into "request_hours" ("account_id", "hour", "endpoint", "key_id", "status", "requests")
  values (?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "hour", "endpoint", "key_id", "status") do update set "requests" = "request_hours"."requests" + "excluded"."requests";

-- PostgreSQL
insert into "request_hours" ("account_id", "hour", "endpoint", "key_id", "status", "requests")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("account_id", "hour", "endpoint", "key_id", "status") do update set "requests" = "request_hours"."requests" + "excluded"."requests";

-- insertLogs

-- SQLite
insert into "request_logs" ("account_id", "id", "at", "request_id", "method", "endpoint", "key_id", "status", "error", "message", "duration_ms", "requests")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "request_logs" ("account_id", "id", "at", "request_id", "method", "endpoint", "key_id", "status", "error", "message", "duration_ms", "requests")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- sumRequestsByTime

-- SQLite
select hour - hour % 3600000 as "start", cast("status" as text) as "name", sum(requests) as "requests"
  from "request_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by hour - hour % 3600000, "status"
  order by hour - hour % 3600000;

-- PostgreSQL
select hour - hour % 3600000 as "start", cast("status" as text) as "name", sum(requests) as "requests"
  from "request_hours"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by hour - hour % 3600000, "status"
  order by hour - hour % 3600000;

-- selectLogs

-- SQLite
select "l"."id", "l"."at", "l"."request_id", "l"."method", "l"."endpoint", "l"."key_id", "l"."status", "l"."error", "l"."message", "l"."duration_ms", "l"."requests", "k"."name" as "key_name", "k"."last_four", "k"."mode"
  from (select "l"."id", "l"."at", "l"."request_id", "l"."method", "l"."endpoint", "l"."key_id", "l"."status", "l"."error", "l"."message", "l"."duration_ms", "l"."requests"
  from "request_logs" as "l"
  where "l"."account_id" = ? and "l"."id" >= ? and "l"."id" < ?
  order by "l"."id" desc
  limit ?) as "l"
  left join "api_keys" as "k" on "k"."id" = "l"."key_id"
  where "l"."status" >= ? and "l"."status" < ? and "l"."key_id" = ?
  order by "l"."id" desc
  limit ?;

-- PostgreSQL
select "l"."id", "l"."at", "l"."request_id", "l"."method", "l"."endpoint", "l"."key_id", "l"."status", "l"."error", "l"."message", "l"."duration_ms", "l"."requests", "k"."name" as "key_name", "k"."last_four", "k"."mode"
  from (select "l"."id", "l"."at", "l"."request_id", "l"."method", "l"."endpoint", "l"."key_id", "l"."status", "l"."error", "l"."message", "l"."duration_ms", "l"."requests"
  from "request_logs" as "l"
  where "l"."account_id" = $1 and "l"."id" >= $2 and "l"."id" < $3
  order by "l"."id" desc
  limit $4) as "l"
  left join "api_keys" as "k" on "k"."id" = "l"."key_id"
  where "l"."status" >= $5 and "l"."status" < $6 and "l"."key_id" = $7
  order by "l"."id" desc
  limit $8;

-- selectLogScanEnd

-- SQLite
select "id"
  from "request_logs"
  where "account_id" = ? and "id" >= ? and "id" < ?
  order by "id" desc
  limit ? offset ?;

-- PostgreSQL
select "id"
  from "request_logs"
  where "account_id" = $1 and "id" >= $2 and "id" < $3
  order by "id" desc
  limit $4 offset $5;

-- selectLogsOfRequest

-- SQLite
select "l"."id", "l"."at", "l"."request_id", "l"."method", "l"."endpoint", "l"."key_id", "l"."status", "l"."error", "l"."message", "l"."duration_ms", "l"."requests", "k"."name" as "key_name", "k"."last_four", "k"."mode"
  from "request_logs" as "l"
  left join "api_keys" as "k" on "k"."id" = "l"."key_id"
  where "l"."account_id" = ? and "l"."request_id" = ? and "l"."request_id" is not null
  limit ?;

-- PostgreSQL
select "l"."id", "l"."at", "l"."request_id", "l"."method", "l"."endpoint", "l"."key_id", "l"."status", "l"."error", "l"."message", "l"."duration_ms", "l"."requests", "k"."name" as "key_name", "k"."last_four", "k"."mode"
  from "request_logs" as "l"
  left join "api_keys" as "k" on "k"."id" = "l"."key_id"
  where "l"."account_id" = $1 and "l"."request_id" = $2 and "l"."request_id" is not null
  limit $3;

-- deleteLogsBefore

-- SQLite
delete from "request_logs"
  where ("account_id", "id") in (select "l"."account_id", "l"."id"
  from "request_logs" as "l"
  where "l"."at" < ?
  order by "l"."at"
  limit ?);

-- PostgreSQL
delete from "request_logs"
  where ("account_id", "id") in (select "l"."account_id", "l"."id"
  from "request_logs" as "l"
  where "l"."at" < $1
  order by "l"."at"
  limit $2);

-- deleteRequestHoursBefore

-- SQLite
delete from "request_hours"
  where ("account_id", "hour", "endpoint", "key_id", "status") in (select "h"."account_id", "h"."hour", "h"."endpoint", "h"."key_id", "h"."status"
  from "request_hours" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  where "h"."hour" < ?
  limit ?);

-- PostgreSQL
delete from "request_hours"
  where ("account_id", "hour", "endpoint", "key_id", "status") in (select "h"."account_id", "h"."hour", "h"."endpoint", "h"."key_id", "h"."status"
  from "request_hours" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  where "h"."hour" < $1
  limit $2);
