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
  where "at" < ?;

-- PostgreSQL
delete from "commit_batches"
  where "at" < $1;
