-- Made by "npm run sql" from apps/api/src/money/evidence/evidence.table.ts; do not edit.

-- insertEvidence

-- SQLite
insert into "integrity_evidence" ("account_id", "check_name", "day", "tested", "hits", "detail", "log_factor", "ordinal", "log_started", "log_evidence", "at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "check_name", "day") do nothing;

-- PostgreSQL
insert into "integrity_evidence" ("account_id", "check_name", "day", "tested", "hits", "detail", "log_factor", "ordinal", "log_started", "log_evidence", "at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict ("account_id", "check_name", "day") do nothing;

-- selectLatestEvidence

-- SQLite
select "e"."check_name", "e"."day", "e"."log_factor", "e"."ordinal", "e"."log_started", "e"."log_evidence", "e"."at"
  from "integrity_evidence" as "e"
  where "e"."account_id" = ? and "e"."day" = (select max("l"."day") as "day"
  from "integrity_evidence" as "l"
  where "l"."account_id" = ? and "l"."check_name" = "e"."check_name");

-- PostgreSQL
select "e"."check_name", "e"."day", "e"."log_factor", "e"."ordinal", "e"."log_started", "e"."log_evidence", "e"."at"
  from "integrity_evidence" as "e"
  where "e"."account_id" = $1 and "e"."day" = (select max("l"."day") as "day"
  from "integrity_evidence" as "l"
  where "l"."account_id" = $2 and "l"."check_name" = "e"."check_name");

-- selectEvidenceOfCheck

-- SQLite
select "check_name", "day", "tested", "hits", "detail", "log_factor", "ordinal", "log_started", "log_evidence", "at"
  from "integrity_evidence"
  where "account_id" = ? and "check_name" = ?
  order by "day" desc
  limit ?;

-- PostgreSQL
select "check_name", "day", "tested", "hits", "detail", "log_factor", "ordinal", "log_started", "log_evidence", "at"
  from "integrity_evidence"
  where "account_id" = $1 and "check_name" = $2
  order by "day" desc
  limit $3;

-- selectEvidenceFrom

-- SQLite
select "check_name", "day", "tested", "hits", "detail", "log_factor", "ordinal", "log_started", "log_evidence", "at"
  from "integrity_evidence"
  where "account_id" = ? and "day" >= ?
  order by "day", "check_name";

-- PostgreSQL
select "check_name", "day", "tested", "hits", "detail", "log_factor", "ordinal", "log_started", "log_evidence", "at"
  from "integrity_evidence"
  where "account_id" = $1 and "day" >= $2
  order by "day", "check_name";

-- deleteEvidenceBefore

-- SQLite
delete from "integrity_evidence"
  where ("account_id", "check_name", "day") in (select "e"."account_id", "e"."check_name", "e"."day"
  from "integrity_evidence" as "e"
  inner join "accounts" as "a" on "a"."id" = "e"."account_id"
  where "e"."day" < ?
  limit ?);

-- PostgreSQL
delete from "integrity_evidence"
  where ("account_id", "check_name", "day") in (select "e"."account_id", "e"."check_name", "e"."day"
  from "integrity_evidence" as "e"
  inner join "accounts" as "a" on "a"."id" = "e"."account_id"
  where "e"."day" < $1
  limit $2);

-- selectAccountsWithEvidence

-- SQLite
select "account_id"
  from "integrity_evidence"
  where "check_name" = ? and "day" = ?;

-- PostgreSQL
select "account_id"
  from "integrity_evidence"
  where "check_name" = $1 and "day" = $2;

-- insertNotices

-- SQLite
insert into "integrity_notices" ("account_id", "code", "day", "statistic", "message")
  values (?, ?, ?, ?, ?)
  on conflict ("account_id", "code", "day") do nothing;

-- PostgreSQL
insert into "integrity_notices" ("account_id", "code", "day", "statistic", "message")
  values ($1, $2, $3, $4, $5)
  on conflict ("account_id", "code", "day") do nothing;

-- selectNotices

-- SQLite
select "day", "code", "statistic", "message"
  from "integrity_notices"
  where "account_id" = ?
  order by "day" desc, "code"
  limit ?;

-- PostgreSQL
select "day", "code", "statistic", "message"
  from "integrity_notices"
  where "account_id" = $1
  order by "day" desc, "code"
  limit $2;

-- deleteNoticesBefore

-- SQLite
delete from "integrity_notices"
  where ("account_id", "code", "day") in (select "n"."account_id", "n"."code", "n"."day"
  from "integrity_notices" as "n"
  inner join "accounts" as "a" on "a"."id" = "n"."account_id"
  where "n"."day" < ?
  limit ?);

-- PostgreSQL
delete from "integrity_notices"
  where ("account_id", "code", "day") in (select "n"."account_id", "n"."code", "n"."day"
  from "integrity_notices" as "n"
  inner join "accounts" as "a" on "a"."id" = "n"."account_id"
  where "n"."day" < $1
  limit $2);
