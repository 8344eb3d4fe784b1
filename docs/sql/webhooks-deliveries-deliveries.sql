-- Made by "npm run sql" from apps/api/src/webhooks/deliveries/deliveries.table.ts; do not edit.

-- selectNextDue

-- SQLite
select min("next_at") as "next_at"
  from "webhook_deliveries"
  where "state" = 'pending';

-- PostgreSQL
select min("next_at") as "next_at"
  from "webhook_deliveries"
  where "state" = 'pending';

-- selectDueEndpoints

-- SQLite
select "id", "audience"
  from "webhook_endpoints"
  where "state" = ? and "failing_since" is null and "id" not in (?) and "audience" not in (?) and exists (select "event_id"
  from "webhook_deliveries"
  where "webhook_deliveries"."endpoint_id" = "webhook_endpoints"."id" and "webhook_deliveries"."state" = 'pending' and "next_at" <= ? and "leased_until" <= ?)
  order by coalesce("last_attempt_at", 0), "id"
  limit ?;

-- PostgreSQL
select "id", "audience"
  from "webhook_endpoints"
  where "state" = $1 and "failing_since" is null and "id" not in ($2) and "audience" not in ($3) and exists (select "event_id"
  from "webhook_deliveries"
  where "webhook_deliveries"."endpoint_id" = "webhook_endpoints"."id" and "webhook_deliveries"."state" = 'pending' and "next_at" <= $4 and "leased_until" <= $5)
  order by coalesce("last_attempt_at", 0), "id"
  limit $6;

-- selectDueDeliveries

-- SQLite
select "endpoint_id", "event_id"
  from (select "endpoint_id", "event_id"
  from "webhook_deliveries"
  where "endpoint_id" = ? and "state" = 'pending' and "next_at" <= ? and "leased_until" <= ?
  order by "next_at", "event_id"
  limit ?) as "due"
  union all select "endpoint_id", "event_id"
  from (select "endpoint_id", "event_id"
  from "webhook_deliveries"
  where "endpoint_id" = ? and "state" = 'pending' and "next_at" <= ? and "leased_until" <= ?
  order by "next_at", "event_id"
  limit ?) as "due";

-- PostgreSQL
select "endpoint_id", "event_id"
  from (select "endpoint_id", "event_id"
  from "webhook_deliveries"
  where "endpoint_id" = $1 and "state" = 'pending' and "next_at" <= $2 and "leased_until" <= $3
  order by "next_at", "event_id"
  limit $4) as "due"
  union all select "endpoint_id", "event_id"
  from (select "endpoint_id", "event_id"
  from "webhook_deliveries"
  where "endpoint_id" = $5 and "state" = 'pending' and "next_at" <= $6 and "leased_until" <= $7
  order by "next_at", "event_id"
  limit $8) as "due";

-- claimDeliveries

-- SQLite
update "webhook_deliveries" set "lease" = ?, "leased_until" = ?, "next_at" = ?, "attempts" = "attempts" + ?, "round_attempts" = "round_attempts" + ?
  where ("endpoint_id", "event_id") in (select "due"."endpoint_id", "due"."event_id"
  from "webhook_deliveries" as "due"
  where ("due"."endpoint_id" = ? and "due"."event_id" = ?) and "due"."state" = 'pending' and "due"."next_at" <= ? and "due"."leased_until" <= ?) and "state" = 'pending' and "next_at" <= ? and "leased_until" <= ? and exists (select "id"
  from "webhook_endpoints"
  where "webhook_endpoints"."id" = "webhook_deliveries"."endpoint_id" and "webhook_endpoints"."state" = ?)
  returning "endpoint_id", "event_id", "attempts", "round_attempts";

-- PostgreSQL
update "webhook_deliveries" set "lease" = $1, "leased_until" = $2, "next_at" = $3, "attempts" = "attempts" + $4, "round_attempts" = "round_attempts" + $5
  where ("endpoint_id", "event_id") in (select "due"."endpoint_id", "due"."event_id"
  from "webhook_deliveries" as "due"
  where ("due"."endpoint_id" = $6 and "due"."event_id" = $7) and "due"."state" = 'pending' and "due"."next_at" <= $8 and "due"."leased_until" <= $9 for update skip locked) and "state" = 'pending' and "next_at" <= $10 and "leased_until" <= $11 and exists (select "id"
  from "webhook_endpoints"
  where "webhook_endpoints"."id" = "webhook_deliveries"."endpoint_id" and "webhook_endpoints"."state" = $12)
  returning "endpoint_id", "event_id", "attempts", "round_attempts";

-- selectClaimed

-- SQLite
select "delivery"."endpoint_id", "delivery"."event_id", "delivery"."attempts", "delivery"."round_attempts", "endpoint"."audience", "endpoint"."url", "endpoint"."secret", "endpoint"."secret_previous", "endpoint"."previous_until", "endpoint"."failing_since", "event"."audience" as "event_audience", "event"."type", "event"."sequence", "event"."at", "event"."data"
  from "webhook_deliveries" as "delivery"
  inner join "webhook_endpoints" as "endpoint" on "endpoint"."id" = "delivery"."endpoint_id"
  left join "webhook_events" as "event" on "event"."id" = "delivery"."event_id"
  where ("delivery"."endpoint_id" = ? and "delivery"."event_id" = ?) and "delivery"."lease" = ?;

-- PostgreSQL
select "delivery"."endpoint_id", "delivery"."event_id", "delivery"."attempts", "delivery"."round_attempts", "endpoint"."audience", "endpoint"."url", "endpoint"."secret", "endpoint"."secret_previous", "endpoint"."previous_until", "endpoint"."failing_since", "event"."audience" as "event_audience", "event"."type", "event"."sequence", "event"."at", "event"."data"
  from "webhook_deliveries" as "delivery"
  inner join "webhook_endpoints" as "endpoint" on "endpoint"."id" = "delivery"."endpoint_id"
  left join "webhook_events" as "event" on "event"."id" = "delivery"."event_id"
  where ("delivery"."endpoint_id" = $1 and "delivery"."event_id" = $2) and "delivery"."lease" = $3;

-- insertAttempt

-- SQLite
insert into "webhook_attempts" ("endpoint_id", "event_id", "attempt", "at", "duration_ms", "url", "signature", "status", "error", "response")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("endpoint_id", "event_id", "attempt") do nothing;

-- PostgreSQL
insert into "webhook_attempts" ("endpoint_id", "event_id", "attempt", "at", "duration_ms", "url", "signature", "status", "error", "response")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict ("endpoint_id", "event_id", "attempt") do nothing;

-- markDelivered

-- SQLite
update "webhook_deliveries" set "state" = ?, "lease" = ?, "leased_until" = ?, "last_status" = ?, "last_error" = ?, "done_at" = ?
  where "endpoint_id" = ? and "event_id" = ? and "lease" = ?;

-- PostgreSQL
update "webhook_deliveries" set "state" = $1, "lease" = $2, "leased_until" = $3, "last_status" = $4, "last_error" = $5, "done_at" = $6
  where "endpoint_id" = $7 and "event_id" = $8 and "lease" = $9;

-- markUndelivered

-- SQLite
update "webhook_deliveries" set "state" = ?, "next_at" = ?, "lease" = ?, "leased_until" = ?, "last_status" = ?, "last_error" = ?, "done_at" = ?
  where "endpoint_id" = ? and "event_id" = ? and "lease" = ?;

-- PostgreSQL
update "webhook_deliveries" set "state" = $1, "next_at" = $2, "lease" = $3, "leased_until" = $4, "last_status" = $5, "last_error" = $6, "done_at" = $7
  where "endpoint_id" = $8 and "event_id" = $9 and "lease" = $10;

-- failPending

-- SQLite
update "webhook_deliveries" set "state" = ?, "next_at" = ?, "lease" = ?, "leased_until" = ?, "last_error" = ?, "done_at" = ?
  where "endpoint_id" = ? and "state" = 'pending';

-- PostgreSQL
update "webhook_deliveries" set "state" = $1, "next_at" = $2, "lease" = $3, "leased_until" = $4, "last_error" = $5, "done_at" = $6
  where "endpoint_id" = $7 and "state" = 'pending';

-- countPending

-- SQLite
select count(*) as "count"
  from (select "event_id"
  from "webhook_deliveries"
  where "state" = 'pending'
  limit ?) as "pending";

-- PostgreSQL
select count(*) as "count"
  from (select "event_id"
  from "webhook_deliveries"
  where "state" = 'pending'
  limit $1) as "pending";

-- selectOldestDue

-- SQLite
select min("due"."next_at") as "next_at"
  from (select (select min("delivery"."next_at") as "next_at"
  from "webhook_deliveries" as "delivery"
  where "delivery"."endpoint_id" = "endpoint"."id" and "delivery"."state" = 'pending') as "next_at"
  from "webhook_endpoints" as "endpoint"
  where "endpoint"."state" = ?) as "due";

-- PostgreSQL
select min("due"."next_at") as "next_at"
  from (select (select min("delivery"."next_at") as "next_at"
  from "webhook_deliveries" as "delivery"
  where "delivery"."endpoint_id" = "endpoint"."id" and "delivery"."state" = 'pending') as "next_at"
  from "webhook_endpoints" as "endpoint"
  where "endpoint"."state" = $1) as "due";

-- deleteDeliveriesBefore

-- SQLite
delete from "webhook_deliveries"
  where ("endpoint_id", "event_id") in (select "old"."endpoint_id", "old"."event_id"
  from "webhook_deliveries" as "old"
  where "old"."event_id" < ?
  order by "old"."event_id"
  limit ?);

-- PostgreSQL
delete from "webhook_deliveries"
  where ("endpoint_id", "event_id") in (select "old"."endpoint_id", "old"."event_id"
  from "webhook_deliveries" as "old"
  where "old"."event_id" < $1
  order by "old"."event_id"
  limit $2);

-- deleteAttemptsBefore

-- SQLite
delete from "webhook_attempts"
  where ("endpoint_id", "event_id", "attempt") in (select "old"."endpoint_id", "old"."event_id", "old"."attempt"
  from "webhook_attempts" as "old"
  where "old"."at" < ?
  order by "old"."at"
  limit ?);

-- PostgreSQL
delete from "webhook_attempts"
  where ("endpoint_id", "event_id", "attempt") in (select "old"."endpoint_id", "old"."event_id", "old"."attempt"
  from "webhook_attempts" as "old"
  where "old"."at" < $1
  order by "old"."at"
  limit $2);

-- deleteDeliveriesOfAudience

-- SQLite
delete from "webhook_deliveries"
  where "endpoint_id" in (select "id"
  from "webhook_endpoints"
  where "audience" = ?);

-- PostgreSQL
delete from "webhook_deliveries"
  where "endpoint_id" in (select "id"
  from "webhook_endpoints"
  where "audience" = $1);

-- deleteAttemptsOfAudience

-- SQLite
delete from "webhook_attempts"
  where "endpoint_id" in (select "id"
  from "webhook_endpoints"
  where "audience" = ?);

-- PostgreSQL
delete from "webhook_attempts"
  where "endpoint_id" in (select "id"
  from "webhook_endpoints"
  where "audience" = $1);
