-- Made by "npm run sql" from apps/api/src/store/commit-batches.table.ts; do not edit.

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
