-- Made by "npm run sql" from apps/api/src/webhooks/deliveries/log.table.ts; do not edit.

-- selectDeliveries

-- SQLite
select "d"."endpoint_id", "d"."event_id", "e"."type", "e"."sequence", "e"."at", "d"."state", "d"."attempts", "d"."next_at", "d"."leased_until", "d"."last_status", "d"."last_error", "d"."created_at", "d"."done_at", "w"."state" as "endpoint_state"
  from "webhook_deliveries" as "d"
  inner join "webhook_endpoints" as "w" on "w"."id" = "d"."endpoint_id"
  inner join "webhook_events" as "e" on "e"."id" = "d"."event_id"
  where "w"."audience" = ? and "e"."audience" = ? and "e"."at" >= ? and "d"."endpoint_id" = ? and "d"."state" = ? and ("d"."event_id" < ? or ("d"."event_id" = ? and "d"."endpoint_id" < ?))
  order by "d"."event_id" desc, "d"."endpoint_id" desc
  limit ?;

-- PostgreSQL
select "d"."endpoint_id", "d"."event_id", "e"."type", "e"."sequence", "e"."at", "d"."state", "d"."attempts", "d"."next_at", "d"."leased_until", "d"."last_status", "d"."last_error", "d"."created_at", "d"."done_at", "w"."state" as "endpoint_state"
  from "webhook_deliveries" as "d"
  inner join "webhook_endpoints" as "w" on "w"."id" = "d"."endpoint_id"
  inner join "webhook_events" as "e" on "e"."id" = "d"."event_id"
  where "w"."audience" = $1 and "e"."audience" = $2 and "e"."at" >= $3 and "d"."endpoint_id" = $4 and "d"."state" = $5 and ("d"."event_id" < $6 or ("d"."event_id" = $7 and "d"."endpoint_id" < $8))
  order by "d"."event_id" desc, "d"."endpoint_id" desc
  limit $9;

-- selectDelivery

-- SQLite
select "d"."endpoint_id", "d"."event_id", "e"."type", "e"."sequence", "e"."at", "d"."state", "d"."attempts", "d"."next_at", "d"."leased_until", "d"."last_status", "d"."last_error", "d"."created_at", "d"."done_at", "w"."state" as "endpoint_state", "e"."data", "w"."url"
  from "webhook_deliveries" as "d"
  inner join "webhook_endpoints" as "w" on "w"."id" = "d"."endpoint_id"
  inner join "webhook_events" as "e" on "e"."id" = "d"."event_id"
  where "w"."audience" = ? and "e"."audience" = ? and "d"."endpoint_id" = ? and "d"."event_id" = ?;

-- PostgreSQL
select "d"."endpoint_id", "d"."event_id", "e"."type", "e"."sequence", "e"."at", "d"."state", "d"."attempts", "d"."next_at", "d"."leased_until", "d"."last_status", "d"."last_error", "d"."created_at", "d"."done_at", "w"."state" as "endpoint_state", "e"."data", "w"."url"
  from "webhook_deliveries" as "d"
  inner join "webhook_endpoints" as "w" on "w"."id" = "d"."endpoint_id"
  inner join "webhook_events" as "e" on "e"."id" = "d"."event_id"
  where "w"."audience" = $1 and "e"."audience" = $2 and "d"."endpoint_id" = $3 and "d"."event_id" = $4;

-- selectAttempts

-- SQLite
select "attempt", "at", "duration_ms", "url", "signature", "status", "error", "response"
  from "webhook_attempts"
  where "endpoint_id" = ? and "event_id" = ?
  order by "attempt" desc
  limit ?;

-- PostgreSQL
select "attempt", "at", "duration_ms", "url", "signature", "status", "error", "response"
  from "webhook_attempts"
  where "endpoint_id" = $1 and "event_id" = $2
  order by "attempt" desc
  limit $3;
