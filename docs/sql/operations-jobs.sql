-- Made by "npm run sql" from apps/api/src/operations/jobs.table.ts; do not edit.

-- introduceJob

-- SQLite
insert into "jobs" ("name", "next_run_at", "lease", "leased_until", "last_run_at", "last_result")
  values (?, ?, ?, ?, ?, ?)
  on conflict ("name") do nothing;

-- PostgreSQL
insert into "jobs" ("name", "next_run_at", "lease", "leased_until", "last_run_at", "last_result")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("name") do nothing;

-- claimJob

-- SQLite
update "jobs" set "lease" = ?, "leased_until" = ?
  where "name" = ? and "next_run_at" <= ? and "leased_until" <= ?;

-- PostgreSQL
update "jobs" set "lease" = $1, "leased_until" = $2
  where "name" = $3 and "next_run_at" <= $4 and "leased_until" <= $5;

-- finishJob

-- SQLite
update "jobs" set "lease" = ?, "leased_until" = ?, "last_run_at" = ?, "last_result" = ?, "next_run_at" = ?
  where "name" = ? and "lease" = ?;

-- PostgreSQL
update "jobs" set "lease" = $1, "leased_until" = $2, "last_run_at" = $3, "last_result" = $4, "next_run_at" = $5
  where "name" = $6 and "lease" = $7;

-- selectJobs

-- SQLite
select "name", "next_run_at", "leased_until", "last_run_at", "last_result"
  from "jobs"
  order by "name";

-- PostgreSQL
select "name", "next_run_at", "leased_until", "last_run_at", "last_result"
  from "jobs"
  order by "name";
