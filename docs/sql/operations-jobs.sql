-- Made by "npm run sql" from apps/api/src/operations/jobs.table.ts; do not edit.

-- registerJob

-- SQLite
insert into "jobs" ("name", "next_run_at", "leased_until", "failures", "lease", "holder", "started_at", "last_run_at", "last_success_at", "last_duration_ms", "last_result")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("name") do nothing;

-- PostgreSQL
insert into "jobs" ("name", "next_run_at", "leased_until", "failures", "lease", "holder", "started_at", "last_run_at", "last_success_at", "last_duration_ms", "last_result")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict ("name") do nothing;

-- claimJob

-- SQLite
update "jobs" set "lease" = ?, "leased_until" = ?, "holder" = ?, "started_at" = ?
  where "name" = ? and ("next_run_at" <= ? or "next_run_at" > ?) and ("leased_until" <= ? or "leased_until" > ?)
  returning "failures";

-- PostgreSQL
update "jobs" set "lease" = $1, "leased_until" = $2, "holder" = $3, "started_at" = $4
  where "name" = $5 and ("next_run_at" <= $6 or "next_run_at" > $7) and ("leased_until" <= $8 or "leased_until" > $9)
  returning "failures";

-- renewJob

-- SQLite
update "jobs" set "leased_until" = ?
  where "name" = ? and "lease" = ?;

-- PostgreSQL
update "jobs" set "leased_until" = $1
  where "name" = $2 and "lease" = $3;

-- finishJob

-- SQLite
update "jobs" set "lease" = ?, "leased_until" = ?, "started_at" = ?, "last_run_at" = ?, "last_duration_ms" = ?, "last_result" = ?, "next_run_at" = ?, "failures" = ?, "last_success_at" = ?
  where "name" = ? and "lease" = ?;

-- PostgreSQL
update "jobs" set "lease" = $1, "leased_until" = $2, "started_at" = $3, "last_run_at" = $4, "last_duration_ms" = $5, "last_result" = $6, "next_run_at" = $7, "failures" = $8, "last_success_at" = $9
  where "name" = $10 and "lease" = $11;

-- selectJobs

-- SQLite
select "name", "next_run_at", "leased_until", "holder", "started_at", "last_run_at", "last_success_at", "last_duration_ms", "last_result", "failures"
  from "jobs"
  order by "name";

-- PostgreSQL
select "name", "next_run_at", "leased_until", "holder", "started_at", "last_run_at", "last_success_at", "last_duration_ms", "last_result", "failures"
  from "jobs"
  order by "name";
