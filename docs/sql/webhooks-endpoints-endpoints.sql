-- Made by "npm run sql" from apps/api/src/webhooks/endpoints/endpoints.table.ts; do not edit.

-- selectEndpoints

-- SQLite
select "id", "audience", "url", "types", "state", "disabled_reason", "previous_until", "failing_since", "created_at", "changed_at", "last_attempt_at", "last_success_at"
  from "webhook_endpoints"
  where "audience" = ?
  order by "id";

-- PostgreSQL
select "id", "audience", "url", "types", "state", "disabled_reason", "previous_until", "failing_since", "created_at", "changed_at", "last_attempt_at", "last_success_at"
  from "webhook_endpoints"
  where "audience" = $1
  order by "id";

-- selectAllEndpoints

-- SQLite
select "id", "audience", "url", "types", "state", "disabled_reason", "previous_until", "failing_since", "created_at", "changed_at", "last_attempt_at", "last_success_at"
  from "webhook_endpoints"
  where "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "audience", "url", "types", "state", "disabled_reason", "previous_until", "failing_since", "created_at", "changed_at", "last_attempt_at", "last_success_at"
  from "webhook_endpoints"
  where "id" > $1
  order by "id"
  limit $2;

-- selectEndpoint

-- SQLite
select "id", "audience", "url", "types", "state", "disabled_reason", "previous_until", "failing_since", "created_at", "changed_at", "last_attempt_at", "last_success_at"
  from "webhook_endpoints"
  where "id" = ? and "audience" = ?;

-- PostgreSQL
select "id", "audience", "url", "types", "state", "disabled_reason", "previous_until", "failing_since", "created_at", "changed_at", "last_attempt_at", "last_success_at"
  from "webhook_endpoints"
  where "id" = $1 and "audience" = $2;

-- lockOwnEndpoint

-- SQLite
select "id", "audience", "url", "types", "state", "disabled_reason", "previous_until", "failing_since", "created_at", "changed_at", "last_attempt_at", "last_success_at"
  from "webhook_endpoints"
  where "id" = ? and "audience" = ?;

-- PostgreSQL
select "id", "audience", "url", "types", "state", "disabled_reason", "previous_until", "failing_since", "created_at", "changed_at", "last_attempt_at", "last_success_at"
  from "webhook_endpoints"
  where "id" = $1 and "audience" = $2 for update;

-- selectAudienceOf

-- SQLite
select "audience"
  from "webhook_endpoints"
  where "id" = ?;

-- PostgreSQL
select "audience"
  from "webhook_endpoints"
  where "id" = $1;

-- countEndpoints

-- SQLite
select count(*) as "count"
  from "webhook_endpoints"
  where "audience" = ?;

-- PostgreSQL
select count(*) as "count"
  from "webhook_endpoints"
  where "audience" = $1;

-- insertEndpoint

-- SQLite
insert into "webhook_endpoints" ("id", "audience", "url", "types", "state", "secret", "created_at", "changed_at", "disabled_reason", "secret_previous", "previous_until", "failing_since", "last_attempt_at", "last_success_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "webhook_endpoints" ("id", "audience", "url", "types", "state", "secret", "created_at", "changed_at", "disabled_reason", "secret_previous", "previous_until", "failing_since", "last_attempt_at", "last_success_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- updateEndpoint

-- SQLite
update "webhook_endpoints" set "changed_at" = ?, "url" = ?, "types" = ?, "state" = ?, "disabled_reason" = ?, "failing_since" = ?
  where "id" = ? and "audience" = ? and "state" <> ?;

-- PostgreSQL
update "webhook_endpoints" set "changed_at" = $1, "url" = $2, "types" = $3, "state" = $4, "disabled_reason" = $5, "failing_since" = $6
  where "id" = $7 and "audience" = $8 and "state" <> $9;

-- rotateSecret

-- SQLite
update "webhook_endpoints" set "secret_previous" = "secret", "secret" = ?, "previous_until" = ?, "changed_at" = ?
  where "id" = ? and "audience" = ?;

-- PostgreSQL
update "webhook_endpoints" set "secret_previous" = "secret", "secret" = $1, "previous_until" = $2, "changed_at" = $3
  where "id" = $4 and "audience" = $5;

-- deleteEndpoint

-- SQLite
delete from "webhook_endpoints"
  where "id" = ? and "audience" = ?;

-- PostgreSQL
delete from "webhook_endpoints"
  where "id" = $1 and "audience" = $2;
