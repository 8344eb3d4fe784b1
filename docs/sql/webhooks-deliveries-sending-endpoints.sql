-- Made by "npm run sql" from apps/api/src/webhooks/deliveries/sending-endpoints.table.ts; do not edit.

-- lockEndpoint

-- SQLite
select "audience", "url", "state", "failing_since", "last_success_at"
  from "webhook_endpoints"
  where "id" = ?;

-- PostgreSQL
select "audience", "url", "state", "failing_since", "last_success_at"
  from "webhook_endpoints"
  where "id" = $1 for update;

-- lockEndpointsOfAudience

-- SQLite
select "id"
  from "webhook_endpoints"
  where "audience" = ?
  order by "id";

-- PostgreSQL
select "id"
  from "webhook_endpoints"
  where "audience" = $1
  order by "id" for update;

-- setEndpointHealth

-- SQLite
update "webhook_endpoints" set "failing_since" = ?, "last_success_at" = ?, "last_attempt_at" = ?
  where "id" = ?;

-- PostgreSQL
update "webhook_endpoints" set "failing_since" = $1, "last_success_at" = $2, "last_attempt_at" = $3
  where "id" = $4;

-- disableEndpoint

-- SQLite
update "webhook_endpoints" set "state" = ?, "disabled_reason" = ?, "changed_at" = ?
  where "id" = ? and "state" != ?;

-- PostgreSQL
update "webhook_endpoints" set "state" = $1, "disabled_reason" = $2, "changed_at" = $3
  where "id" = $4 and "state" != $5;

-- selectEndpointsOfOthers

-- SQLite
select "id", "secret", "secret_previous"
  from "webhook_endpoints"
  where ("secret" not like ? or "secret_previous" not like ?) and "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "secret", "secret_previous"
  from "webhook_endpoints"
  where ("secret" not like $1 or "secret_previous" not like $2) and "id" > $3
  order by "id"
  limit $4;

-- replaceSecrets

-- SQLite
update "webhook_endpoints" set "secret" = ?, "secret_previous" = ?
  where "id" = ? and "secret" = ? and "secret_previous" is null;

-- PostgreSQL
update "webhook_endpoints" set "secret" = $1, "secret_previous" = $2
  where "id" = $3 and "secret" = $4 and "secret_previous" is null;

-- deleteEndpointsOfAudience

-- SQLite
delete from "webhook_endpoints"
  where "audience" = ?;

-- PostgreSQL
delete from "webhook_endpoints"
  where "audience" = $1;
