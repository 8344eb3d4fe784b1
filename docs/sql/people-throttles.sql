-- Made by "npm run sql" from apps/api/src/people/throttles.table.ts; do not edit.

-- selectThrottle

-- SQLite
select "tries", "since", "blocked_until", "updated_at"
  from "throttles"
  where "subject" = ?;

-- PostgreSQL
select "tries", "since", "blocked_until", "updated_at"
  from "throttles"
  where "subject" = $1;

-- insertThrottle

-- SQLite
insert into "throttles" ("subject", "tries", "since", "blocked_until", "updated_at")
  values (?, ?, ?, ?, ?)
  on conflict ("subject") do nothing;

-- PostgreSQL
insert into "throttles" ("subject", "tries", "since", "blocked_until", "updated_at")
  values ($1, $2, $3, $4, $5)
  on conflict ("subject") do nothing;

-- replaceThrottle

-- SQLite
update "throttles" set "tries" = ?, "since" = ?, "blocked_until" = ?, "updated_at" = ?
  where "subject" = ? and "tries" = ? and "since" = ? and "blocked_until" = ?;

-- PostgreSQL
update "throttles" set "tries" = $1, "since" = $2, "blocked_until" = $3, "updated_at" = $4
  where "subject" = $5 and "tries" = $6 and "since" = $7 and "blocked_until" = $8;

-- deleteThrottles

-- SQLite
delete from "throttles"
  where "subject" in (?);

-- PostgreSQL
delete from "throttles"
  where "subject" in ($1);

-- selectThrottlesBefore

-- SQLite
select "subject", "updated_at"
  from "throttles"
  where "updated_at" >= ? and "updated_at" < ? and "tries" > ?
  order by "updated_at"
  limit ?;

-- PostgreSQL
select "subject", "updated_at"
  from "throttles"
  where "updated_at" >= $1 and "updated_at" < $2 and "tries" > $3
  order by "updated_at"
  limit $4;

-- deleteThrottlesBefore

-- SQLite
delete from "throttles"
  where "subject" in (?) and "updated_at" < ?;

-- PostgreSQL
delete from "throttles"
  where "subject" in ($1) and "updated_at" < $2;
