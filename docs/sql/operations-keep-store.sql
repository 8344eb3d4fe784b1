-- Made by "npm run sql" from apps/api/src/operations/keep-store.table.ts; do not edit.

-- deleteRecordsBefore

-- SQLite
delete from "session_records"
  where ("account_id", "id") in (select "r"."account_id", "r"."id"
  from "session_records" as "r"
  inner join "accounts" as "a" on "a"."id" = "r"."account_id"
  where "r"."id" < ?
  limit ?);

-- PostgreSQL
delete from "session_records"
  where ("account_id", "id") in (select "r"."account_id", "r"."id"
  from "session_records" as "r"
  inner join "accounts" as "a" on "a"."id" = "r"."account_id"
  where "r"."id" < $1
  limit $2);

-- deleteOutcomesBefore

-- SQLite
delete from "session_outcomes"
  where ("account_id", "session_id", "seq") in (select "o"."account_id", "o"."session_id", "o"."seq"
  from "session_outcomes" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  where "o"."session_id" < ?
  limit ?);

-- PostgreSQL
delete from "session_outcomes"
  where ("account_id", "session_id", "seq") in (select "o"."account_id", "o"."session_id", "o"."seq"
  from "session_outcomes" as "o"
  inner join "accounts" as "a" on "a"."id" = "o"."account_id"
  where "o"."session_id" < $1
  limit $2);

-- deleteHoursBefore

-- SQLite
delete from "session_hours"
  where ("account_id", "hour") in (select "h"."account_id", "h"."hour"
  from "session_hours" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  where "h"."hour" < ?
  limit ?);

-- PostgreSQL
delete from "session_hours"
  where ("account_id", "hour") in (select "h"."account_id", "h"."hour"
  from "session_hours" as "h"
  inner join "accounts" as "a" on "a"."id" = "h"."account_id"
  where "h"."hour" < $1
  limit $2);

-- deleteAnswersBefore

-- SQLite
delete from "idempotency_answers"
  where "key_hash" in (select "key_hash"
  from "idempotency_answers"
  where "at" < ?
  order by "at"
  limit ?);

-- PostgreSQL
delete from "idempotency_answers"
  where "key_hash" in (select "key_hash"
  from "idempotency_answers"
  where "at" < $1
  order by "at"
  limit $2);

-- deleteBatchesBefore

-- SQLite
delete from "commit_batches"
  where "id" in (select "id"
  from "commit_batches"
  where "at" < ?
  order by "at"
  limit ?);

-- PostgreSQL
delete from "commit_batches"
  where "id" in (select "id"
  from "commit_batches"
  where "at" < $1
  order by "at"
  limit $2);

-- deleteOffersBefore

-- SQLite
delete from "offers"
  where "id" in (select "id"
  from "offers"
  where "id" < ?
  order by "id"
  limit ?);

-- PostgreSQL
delete from "offers"
  where "id" in (select "id"
  from "offers"
  where "id" < $1
  order by "id"
  limit $2);

-- deleteSessionOffersBefore

-- SQLite
delete from "session_offers"
  where ("account_id", "session_id") in (select "s"."account_id", "s"."session_id"
  from "session_offers" as "s"
  inner join "accounts" as "a" on "a"."id" = "s"."account_id"
  where "s"."session_id" < ?
  limit ?);

-- PostgreSQL
delete from "session_offers"
  where ("account_id", "session_id") in (select "s"."account_id", "s"."session_id"
  from "session_offers" as "s"
  inner join "accounts" as "a" on "a"."id" = "s"."account_id"
  where "s"."session_id" < $1
  limit $2);
