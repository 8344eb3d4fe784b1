-- Made by "npm run sql" from apps/api/src/webhooks/deliveries/ask-again.table.ts; do not edit.

-- countTestsOfAudience

-- SQLite
select count(*) as "count"
  from "webhook_events"
  where "audience" = ? and "at" > ? and "type" = ?;

-- PostgreSQL
select count(*) as "count"
  from "webhook_events"
  where "audience" = $1 and "at" > $2 and "type" = $3;

-- countTestsOfEndpoint

-- SQLite
select count(*) as "count"
  from "webhook_deliveries" as "d"
  inner join "webhook_events" as "e" on "e"."id" = "d"."event_id"
  where "d"."endpoint_id" = ? and "e"."audience" = ? and "e"."at" > ? and "e"."type" = ?;

-- PostgreSQL
select count(*) as "count"
  from "webhook_deliveries" as "d"
  inner join "webhook_events" as "e" on "e"."id" = "d"."event_id"
  where "d"."endpoint_id" = $1 and "e"."audience" = $2 and "e"."at" > $3 and "e"."type" = $4;

-- insertDelivery

-- SQLite
insert into "webhook_deliveries" ("endpoint_id", "event_id", "state", "attempts", "round_attempts", "next_at", "lease", "leased_until", "last_status", "last_error", "created_at", "done_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "webhook_deliveries" ("endpoint_id", "event_id", "state", "attempts", "round_attempts", "next_at", "lease", "leased_until", "last_status", "last_error", "created_at", "done_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- askAgain

-- SQLite
update "webhook_deliveries" set "state" = ?, "round_attempts" = ?, "next_at" = ?, "done_at" = ?
  where "endpoint_id" = ? and "event_id" = ? and "attempts" < ? and exists (select "id"
  from "webhook_endpoints"
  where "id" = ? and "audience" = ? and "state" = ?) and exists (select "id"
  from "webhook_events"
  where "id" = ? and "audience" = ? and "at" >= ?);

-- PostgreSQL
update "webhook_deliveries" set "state" = $1, "round_attempts" = $2, "next_at" = $3, "done_at" = $4
  where "endpoint_id" = $5 and "event_id" = $6 and "attempts" < $7 and exists (select "id"
  from "webhook_endpoints"
  where "id" = $8 and "audience" = $9 and "state" = $10) and exists (select "id"
  from "webhook_events"
  where "id" = $11 and "audience" = $12 and "at" >= $13);

-- selectReplayed

-- SQLite
select "sequence", "at"
  from "webhook_events"
  where "audience" = ? and "at" >= ? and "type" in (?, ?)
  order by "sequence"
  limit ?;

-- PostgreSQL
select "sequence", "at"
  from "webhook_events"
  where "audience" = $1 and "at" >= $2 and "type" in ($3, $4)
  order by "sequence"
  limit $5;

-- askAgainForMany

-- SQLite
update "webhook_deliveries" set "state" = ?, "round_attempts" = ?, "next_at" = ?, "done_at" = ?
  where "endpoint_id" = ? and "state" <> ? and "attempts" < ? and "event_id" in (select "id"
  from "webhook_events"
  where "audience" = ? and "at" >= ? and "type" in (?, ?) and "sequence" <= ?);

-- PostgreSQL
update "webhook_deliveries" set "state" = $1, "round_attempts" = $2, "next_at" = $3, "done_at" = $4
  where "endpoint_id" = $5 and "state" <> $6 and "attempts" < $7 and "event_id" in (select "id"
  from "webhook_events"
  where "audience" = $8 and "at" >= $9 and "type" in ($10, $11) and "sequence" <= $12);

-- insertMissing

-- SQLite
insert into "webhook_deliveries" ("endpoint_id", "event_id", "state", "attempts", "round_attempts", "next_at", "leased_until", "created_at") select cast(? as text) as "endpoint_id", "e"."id" as "event_id", cast(? as text) as "state", 0 as "attempts", 0 as "round_attempts", cast(? as bigint) as "next_at", 0 as "leased_until", cast(? as bigint) as "created_at"
  from "webhook_events" as "e"
  where "e"."audience" = ? and "e"."at" >= ? and "e"."type" in (?, ?) and "e"."sequence" <= ? and not exists (select "d"."event_id"
  from "webhook_deliveries" as "d"
  where "d"."endpoint_id" = ? and "d"."event_id" = "e"."id");

-- PostgreSQL
insert into "webhook_deliveries" ("endpoint_id", "event_id", "state", "attempts", "round_attempts", "next_at", "leased_until", "created_at") select cast($1 as text) as "endpoint_id", "e"."id" as "event_id", cast($2 as text) as "state", 0 as "attempts", 0 as "round_attempts", cast($3 as bigint) as "next_at", 0 as "leased_until", cast($4 as bigint) as "created_at"
  from "webhook_events" as "e"
  where "e"."audience" = $5 and "e"."at" >= $6 and "e"."type" in ($7, $8) and "e"."sequence" <= $9 and not exists (select "d"."event_id"
  from "webhook_deliveries" as "d"
  where "d"."endpoint_id" = $10 and "d"."event_id" = "e"."id");

-- deleteDeliveriesOfEndpoint

-- SQLite
delete from "webhook_deliveries"
  where "endpoint_id" = ?;

-- PostgreSQL
delete from "webhook_deliveries"
  where "endpoint_id" = $1;

-- deleteAttemptsOfEndpoint

-- SQLite
delete from "webhook_attempts"
  where "endpoint_id" = ?;

-- PostgreSQL
delete from "webhook_attempts"
  where "endpoint_id" = $1;
