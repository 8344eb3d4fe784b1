-- Made by "npm run sql" from apps/api/src/register/audit.table.ts; do not edit.

-- noteAction

-- SQLite
insert into "audit_log" ("id", "at", "actor_account_id", "action", "subject", "account_id", "detail")
  values (?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "audit_log" ("id", "at", "actor_account_id", "action", "subject", "account_id", "detail")
  values ($1, $2, $3, $4, $5, $6, $7);

-- noteActions

-- SQLite
insert into "audit_log" ("id", "at", "actor_account_id", "action", "subject", "account_id", "detail")
  values (?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "audit_log" ("id", "at", "actor_account_id", "action", "subject", "account_id", "detail")
  values ($1, $2, $3, $4, $5, $6, $7);

-- selectActions

-- SQLite
select "id", "at", "actor_account_id", "action", "subject", "detail", "account_id", "seq", "prev_hash", "hash"
  from "audit_log"
  where "id" < ? and "actor_account_id" = ? and "account_id" = ? and substr("action", 1, 7) = ? and "at" >= ? and "at" < ?
  order by "id" desc
  limit ?;

-- PostgreSQL
select "id", "at", "actor_account_id", "action", "subject", "detail", "account_id", "seq", "prev_hash", "hash"
  from "audit_log"
  where "id" < $1 and "actor_account_id" = $2 and "account_id" = $3 and substr("action", 1, 7) = $4 and "at" >= $5 and "at" < $6
  order by "id" desc
  limit $7;

-- selectChainEnd

-- SQLite
select "h"."seq", "h"."hash", (select count(*) as "rows"
  from "audit_log" as "l"
  where "l"."hash" is null) as "unchained"
  from "audit_head" as "h";

-- PostgreSQL
select "h"."seq", "h"."hash", (select count(*) as "rows"
  from "audit_log" as "l"
  where "l"."hash" is null) as "unchained"
  from "audit_head" as "h";

-- selectAuditHead

-- SQLite
select "h"."seq", "h"."hash", (select count(*) as "rows"
  from "audit_log" as "l"
  where "l"."hash" is not null) as "chained", (select count(*) as "rows"
  from "audit_log" as "l"
  where "l"."hash" is null) as "unchained"
  from "audit_head" as "h";

-- PostgreSQL
select "h"."seq", "h"."hash", (select count(*) as "rows"
  from "audit_log" as "l"
  where "l"."hash" is not null) as "chained", (select count(*) as "rows"
  from "audit_log" as "l"
  where "l"."hash" is null) as "unchained"
  from "audit_head" as "h";

-- selectChainedActions

-- SQLite
select "id", "at", "actor_account_id", "action", "subject", "detail", "account_id", "seq", "prev_hash", "hash"
  from "audit_log"
  where "seq" > ?
  order by "seq"
  limit ?;

-- PostgreSQL
select "id", "at", "actor_account_id", "action", "subject", "detail", "account_id", "seq", "prev_hash", "hash"
  from "audit_log"
  where "seq" > $1
  order by "seq"
  limit $2;
