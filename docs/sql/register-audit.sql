-- Made by "npm run sql" from apps/api/src/register/audit.table.ts; do not edit.

-- noteAction

-- SQLite
insert into "audit_log" ("id", "at", "actor_account_id", "action", "subject", "detail")
  values (?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "audit_log" ("id", "at", "actor_account_id", "action", "subject", "detail")
  values ($1, $2, $3, $4, $5, $6);

-- selectActions

-- SQLite
select "id", "at", "actor_account_id", "action", "subject", "detail"
  from "audit_log"
  where "id" < ?
  order by "id" desc
  limit ?;

-- PostgreSQL
select "id", "at", "actor_account_id", "action", "subject", "detail"
  from "audit_log"
  where "id" < $1
  order by "id" desc
  limit $2;
