-- Made by "npm run sql" from apps/api/src/money/findings/findings.table.ts; do not edit.

-- openFinding

-- SQLite
insert into "findings" ("id", "account_id", "code", "detail", "opened_at", "closed_at", "resolution")
  values (?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing;

-- PostgreSQL
insert into "findings" ("id", "account_id", "code", "detail", "opened_at", "closed_at", "resolution")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict do nothing;

-- closeFinding

-- SQLite
update "findings" set "closed_at" = ?, "resolution" = ?
  where "id" = ? and "closed_at" is null;

-- PostgreSQL
update "findings" set "closed_at" = $1, "resolution" = $2
  where "id" = $3 and "closed_at" is null;

-- selectFindings

-- SQLite
select "id", "account_id", "code", "detail", "opened_at", "closed_at", "resolution"
  from "findings"
  where "account_id" = ?
  order by closed_at IS NOT NULL, "opened_at" desc
  limit ?;

-- PostgreSQL
select "id", "account_id", "code", "detail", "opened_at", "closed_at", "resolution"
  from "findings"
  where "account_id" = $1
  order by closed_at IS NOT NULL, "opened_at" desc
  limit $2;
