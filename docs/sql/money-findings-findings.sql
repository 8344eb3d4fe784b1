-- Made by "npm run sql" from apps/api/src/money/findings/findings.table.ts; do not edit.

-- openFinding

-- SQLite
insert into "findings" ("id", "account_id", "code", "detail", "statistic", "threshold", "days", "sessions", "opened_at", "opened_by", "closed_at", "resolution")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing;

-- PostgreSQL
insert into "findings" ("id", "account_id", "code", "detail", "statistic", "threshold", "days", "sessions", "opened_at", "opened_by", "closed_at", "resolution")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict do nothing;

-- closeFinding

-- SQLite
update "findings" set "closed_at" = ?, "decision" = ?, "decided_by" = ?, "resolution" = ?, "accepted_at" = ?
  where "id" = ? and "closed_at" is null;

-- PostgreSQL
update "findings" set "closed_at" = $1, "decision" = $2, "decided_by" = $3, "resolution" = $4, "accepted_at" = $5
  where "id" = $6 and "closed_at" is null;

-- reopenFinding

-- SQLite
update "findings" set "closed_at" = ?, "decision" = ?, "decided_by" = ?, "resolution" = ?, "alerted_at" = ?, "opened_at" = ?
  where "id" = ? and "closed_at" is not null;

-- PostgreSQL
update "findings" set "closed_at" = $1, "decision" = $2, "decided_by" = $3, "resolution" = $4, "alerted_at" = $5, "opened_at" = $6
  where "id" = $7 and "closed_at" is not null;

-- answerFinding

-- SQLite
update "findings" set "answer" = ?, "answered_at" = ?
  where "id" = ? and "account_id" = ? and "closed_at" is null;

-- PostgreSQL
update "findings" set "answer" = $1, "answered_at" = $2
  where "id" = $3 and "account_id" = $4 and "closed_at" is null;

-- extendFinding

-- SQLite
update "findings" set "days" = ?, "sessions" = ?
  where "id" = ? and "closed_at" is null;

-- PostgreSQL
update "findings" set "days" = $1, "sessions" = $2
  where "id" = $3 and "closed_at" is null;

-- selectFinding

-- SQLite
select "id", "account_id", "code", "detail", "statistic", "threshold", "days", "sessions", "opened_at", "opened_by", "answer", "answered_at", "accepted_at", "closed_at", "decision", "decided_by", "resolution"
  from "findings"
  where "id" = ?;

-- PostgreSQL
select "id", "account_id", "code", "detail", "statistic", "threshold", "days", "sessions", "opened_at", "opened_by", "answer", "answered_at", "accepted_at", "closed_at", "decision", "decided_by", "resolution"
  from "findings"
  where "id" = $1;

-- selectFindings

-- SQLite
select "id", "account_id", "code", "detail", "statistic", "threshold", "days", "sessions", "opened_at", "opened_by", "answer", "answered_at", "accepted_at", "closed_at", "decision", "decided_by", "resolution"
  from "findings"
  where "account_id" = ?
  order by closed_at IS NOT NULL, CASE WHEN closed_at IS NULL THEN opened_at ELSE -closed_at END, "id"
  limit ?;

-- PostgreSQL
select "id", "account_id", "code", "detail", "statistic", "threshold", "days", "sessions", "opened_at", "opened_by", "answer", "answered_at", "accepted_at", "closed_at", "decision", "decided_by", "resolution"
  from "findings"
  where "account_id" = $1
  order by closed_at IS NOT NULL, CASE WHEN closed_at IS NULL THEN opened_at ELSE -closed_at END, "id"
  limit $2;

-- selectFindingsOpenAt

-- SQLite
select "detail", "opened_at"
  from "findings"
  where "account_id" = ? and "opened_at" < ? and ("closed_at" is null or "closed_at" >= ?)
  order by "opened_at", "id";

-- PostgreSQL
select "detail", "opened_at"
  from "findings"
  where "account_id" = $1 and "opened_at" < $2 and ("closed_at" is null or "closed_at" >= $3)
  order by "opened_at", "id";

-- selectOpenFindings

-- SQLite
select "id", "account_id", "code", "detail", "statistic", "threshold", "days", "sessions", "opened_at", "opened_by", "answer", "answered_at", "accepted_at", "closed_at", "decision", "decided_by", "resolution"
  from "findings"
  where "account_id" = ? and "closed_at" is null;

-- PostgreSQL
select "id", "account_id", "code", "detail", "statistic", "threshold", "days", "sessions", "opened_at", "opened_by", "answer", "answered_at", "accepted_at", "closed_at", "decision", "decided_by", "resolution"
  from "findings"
  where "account_id" = $1 and "closed_at" is null;

-- selectLastDecision

-- SQLite
select max("closed_at") as "closed_at", max("accepted_at") as "accepted_at"
  from "findings"
  where "account_id" = ?;

-- PostgreSQL
select max("closed_at") as "closed_at", max("accepted_at") as "accepted_at"
  from "findings"
  where "account_id" = $1;

-- selectOverdue

-- SQLite
select count(*) as "count", min("f"."opened_at") as "opened_at"
  from "findings" as "f"
  inner join "accounts" as "a" on "a"."id" = "f"."account_id"
  where "f"."closed_at" is null and "f"."opened_at" < ? and "a"."demo" = ?;

-- PostgreSQL
select count(*) as "count", min("f"."opened_at") as "opened_at"
  from "findings" as "f"
  inner join "accounts" as "a" on "a"."id" = "f"."account_id"
  where "f"."closed_at" is null and "f"."opened_at" < $1 and "a"."demo" = $2;

-- selectUnalerted

-- SQLite
select "f"."id", "f"."account_id", "f"."code", "f"."opened_at", "a"."email"
  from "findings" as "f"
  inner join "accounts" as "a" on "a"."id" = "f"."account_id"
  where "f"."closed_at" is null and "f"."opened_at" < ? and "f"."alerted_at" is null and "a"."demo" = ?
  order by "f"."opened_at"
  limit ?;

-- PostgreSQL
select "f"."id", "f"."account_id", "f"."code", "f"."opened_at", "a"."email"
  from "findings" as "f"
  inner join "accounts" as "a" on "a"."id" = "f"."account_id"
  where "f"."closed_at" is null and "f"."opened_at" < $1 and "f"."alerted_at" is null and "a"."demo" = $2
  order by "f"."opened_at"
  limit $3;

-- markAlerted

-- SQLite
update "findings" set "alerted_at" = ?
  where "id" = ? and "closed_at" is null and "alerted_at" is null;

-- PostgreSQL
update "findings" set "alerted_at" = $1
  where "id" = $2 and "closed_at" is null and "alerted_at" is null;

-- eraseAnswers

-- SQLite
update "findings" set "answer" = ?
  where "account_id" = ? and "answer" is not null;

-- PostgreSQL
update "findings" set "answer" = $1
  where "account_id" = $2 and "answer" is not null;

-- selectAccountsUnderFinding

-- SQLite
select distinct "account_id"
  from "findings"
  where "closed_at" is null and "account_id" > ?
  order by "account_id"
  limit ?;

-- PostgreSQL
select distinct "account_id"
  from "findings"
  where "closed_at" is null and "account_id" > $1
  order by "account_id"
  limit $2;
