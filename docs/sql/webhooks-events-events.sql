-- Made by "npm run sql" from apps/api/src/webhooks/events/events.table.ts; do not edit.

-- advanceHead

-- SQLite
insert into "webhook_heads" ("audience", "sequence")
  values (?, ?)
  on conflict ("audience") do update set "sequence" = "webhook_heads"."sequence" + ?;

-- PostgreSQL
insert into "webhook_heads" ("audience", "sequence")
  values ($1, $2)
  on conflict ("audience") do update set "sequence" = "webhook_heads"."sequence" + $3;

-- lockHead

-- SQLite
insert into "webhook_heads" ("audience", "sequence")
  values (?, ?)
  on conflict ("audience") do update set "sequence" = "webhook_heads"."sequence";

-- PostgreSQL
insert into "webhook_heads" ("audience", "sequence")
  values ($1, $2)
  on conflict ("audience") do update set "sequence" = "webhook_heads"."sequence";

-- insertEvent

-- SQLite
insert into "webhook_events" ("id", "audience", "sequence", "type", "data", "at", "once_key") select cast(? as text) as "id", "audience", "sequence", cast(? as text) as "type", cast(? as text) as "data", cast(? as bigint) as "at", cast(? as text) as "once_key"
  from "webhook_heads"
  where "audience" = ?;

-- PostgreSQL
insert into "webhook_events" ("id", "audience", "sequence", "type", "data", "at", "once_key") select cast($1 as text) as "id", "audience", "sequence", cast($2 as text) as "type", cast($3 as text) as "data", cast($4 as bigint) as "at", cast($5 as text) as "once_key"
  from "webhook_heads"
  where "audience" = $6;

-- insertDeliveries

-- SQLite
insert into "webhook_deliveries" ("endpoint_id", "event_id", "state", "attempts", "round_attempts", "next_at", "leased_until", "created_at") select "id", cast(? as text) as "event_id", cast(? as text) as "state", 0 as "attempts", 0 as "round_attempts", cast(? as bigint) as "next_at", 0 as "leased_until", cast(? as bigint) as "created_at"
  from "webhook_endpoints"
  where "audience" = ? and "state" = ? and ("types" = ? or "types" like ?);

-- PostgreSQL
insert into "webhook_deliveries" ("endpoint_id", "event_id", "state", "attempts", "round_attempts", "next_at", "leased_until", "created_at") select "id", cast($1 as text) as "event_id", cast($2 as text) as "state", 0 as "attempts", 0 as "round_attempts", cast($3 as bigint) as "next_at", 0 as "leased_until", cast($4 as bigint) as "created_at"
  from "webhook_endpoints"
  where "audience" = $5 and "state" = $6 and ("types" = $7 or "types" like $8);

-- selectOnce

-- SQLite
select "id"
  from "webhook_events"
  where "audience" = ? and "once_key" = ?;

-- PostgreSQL
select "id"
  from "webhook_events"
  where "audience" = $1 and "once_key" = $2;

-- deleteEventsBefore

-- SQLite
delete from "webhook_events"
  where "id" in (select "id"
  from "webhook_events"
  where "id" < ?
  order by "id"
  limit ?);

-- PostgreSQL
delete from "webhook_events"
  where "id" in (select "id"
  from "webhook_events"
  where "id" < $1
  order by "id"
  limit $2);

-- deleteEventsOfAudience

-- SQLite
delete from "webhook_events"
  where "audience" = ?;

-- PostgreSQL
delete from "webhook_events"
  where "audience" = $1;

-- deleteHeadOfAudience

-- SQLite
delete from "webhook_heads"
  where "audience" = ?;

-- PostgreSQL
delete from "webhook_heads"
  where "audience" = $1;
