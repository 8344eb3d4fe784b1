-- Made by "npm run sql" from apps/api/src/scoring/sessions/sessions.table.ts; do not edit.

-- selectSession

-- SQLite
select "r"."id", "r"."mode", "r"."endpoint", "r"."at", "r"."user_engagement", "r"."session_duration", "r"."scroll_depth", "r"."interaction_count", "r"."page_views", "r"."return_visitor", "r"."service_score", "r"."confidence", "r"."recommendation", "r"."attested", "r"."attestation_issues", "r"."calibration", "r"."model_version", "r"."processing_time_ms", "e"."developer_micro", "e"."at" as "billed_at", "e"."payer", (select "o"."outcome"
  from "session_outcomes" as "o"
  where "o"."account_id" = "r"."account_id" and "o"."session_id" = "r"."id"
  order by "o"."seq" desc
  limit ?) as "outcome"
  from "session_records" as "r"
  left join "ledger_entries" as "e" on "e"."account_id" = "r"."account_id" and "e"."seq" = "r"."ledger_seq"
  where "r"."account_id" = ? and "r"."id" = ?;

-- PostgreSQL
select "r"."id", "r"."mode", "r"."endpoint", "r"."at", "r"."user_engagement", "r"."session_duration", "r"."scroll_depth", "r"."interaction_count", "r"."page_views", "r"."return_visitor", "r"."service_score", "r"."confidence", "r"."recommendation", "r"."attested", "r"."attestation_issues", "r"."calibration", "r"."model_version", "r"."processing_time_ms", "e"."developer_micro", "e"."at" as "billed_at", "e"."payer", (select "o"."outcome"
  from "session_outcomes" as "o"
  where "o"."account_id" = "r"."account_id" and "o"."session_id" = "r"."id"
  order by "o"."seq" desc
  limit $1) as "outcome"
  from "session_records" as "r"
  left join "ledger_entries" as "e" on "e"."account_id" = "r"."account_id" and "e"."seq" = "r"."ledger_seq"
  where "r"."account_id" = $2 and "r"."id" = $3;

-- insertOutcome

-- SQLite
insert into "session_outcomes" ("account_id", "session_id", "seq", "mode", "outcome", "service_score", "at") select "r"."account_id", "r"."id", (select coalesce(max(o.seq), 0) + 1 as "next"
  from "session_outcomes" as "o"
  where "o"."account_id" = "r"."account_id" and "o"."session_id" = "r"."id") as "seq", "r"."mode", cast(? as text) as "outcome", "r"."service_score", cast(? as bigint) as "at"
  from "session_records" as "r"
  where "r"."account_id" = ? and "r"."id" = ?
  returning "at";

-- PostgreSQL
insert into "session_outcomes" ("account_id", "session_id", "seq", "mode", "outcome", "service_score", "at") select "r"."account_id", "r"."id", (select coalesce(max(o.seq), 0) + 1 as "next"
  from "session_outcomes" as "o"
  where "o"."account_id" = "r"."account_id" and "o"."session_id" = "r"."id") as "seq", "r"."mode", cast($1 as text) as "outcome", "r"."service_score", cast($2 as bigint) as "at"
  from "session_records" as "r"
  where "r"."account_id" = $3 and "r"."id" = $4
  returning "at";

-- selectLatestOutcomes

-- SQLite
select "o"."session_id", "o"."seq", "o"."outcome", "o"."service_score", "o"."at", "r"."calibration", "r"."user_engagement", "r"."session_duration", "r"."scroll_depth", "r"."interaction_count", "r"."page_views", "r"."return_visitor"
  from "session_outcomes" as "o"
  inner join "session_records" as "r" on "r"."account_id" = "o"."account_id" and "r"."id" = "o"."session_id"
  where "o"."account_id" = ? and "o"."mode" = ? and "o"."at" >= ? and "o"."at" < ? and ("o"."at", "o"."session_id", "o"."seq") < (?, ?, ?)
  order by "o"."at" desc, "o"."session_id" desc, "o"."seq" desc
  limit ?;

-- PostgreSQL
select "o"."session_id", "o"."seq", "o"."outcome", "o"."service_score", "o"."at", "r"."calibration", "r"."user_engagement", "r"."session_duration", "r"."scroll_depth", "r"."interaction_count", "r"."page_views", "r"."return_visitor"
  from "session_outcomes" as "o"
  inner join "session_records" as "r" on "r"."account_id" = "o"."account_id" and "r"."id" = "o"."session_id"
  where "o"."account_id" = $1 and "o"."mode" = $2 and "o"."at" >= $3 and "o"."at" < $4 and ("o"."at", "o"."session_id", "o"."seq") < ($5, $6, $7)
  order by "o"."at" desc, "o"."session_id" desc, "o"."seq" desc
  limit $8;

-- selectAccountsWithOutcomes

-- SQLite
select "a"."id" as "account_id"
  from "accounts" as "a"
  where "a"."id" > ? and "a"."status" = ? and "a"."demo" = ? and exists (select "o"."seq"
  from "session_outcomes" as "o"
  where "o"."account_id" = "a"."id" and "o"."mode" = ? and "o"."at" >= ?)
  order by "a"."id"
  limit ?;

-- PostgreSQL
select "a"."id" as "account_id"
  from "accounts" as "a"
  where "a"."id" > $1 and "a"."status" = $2 and "a"."demo" = $3 and exists (select "o"."seq"
  from "session_outcomes" as "o"
  where "o"."account_id" = "a"."id" and "o"."mode" = $4 and "o"."at" >= $5)
  order by "a"."id"
  limit $6;

-- selectLatestSession

-- SQLite
select "id", "at", "mode", "service_score"
  from "session_records"
  where "account_id" = ?
  order by "id" desc
  limit ?;

-- PostgreSQL
select "id", "at", "mode", "service_score"
  from "session_records"
  where "account_id" = $1
  order by "id" desc
  limit $2;

-- selectAnyOutcome

-- SQLite
select "seq"
  from "session_outcomes"
  where "account_id" = ?
  limit ?;

-- PostgreSQL
select "seq"
  from "session_outcomes"
  where "account_id" = $1
  limit $2;

-- deleteSessionsOfAccount

-- SQLite
delete from "session_records"
  where "account_id" = ? and "id" in (select "r"."id"
  from "session_records" as "r"
  where "r"."account_id" = ? and "r"."id" < ?
  order by "r"."id"
  limit ?);

-- PostgreSQL
delete from "session_records"
  where "account_id" = $1 and "id" in (select "r"."id"
  from "session_records" as "r"
  where "r"."account_id" = $2 and "r"."id" < $3
  order by "r"."id"
  limit $4);

-- deleteOutcomesOfAccount

-- SQLite
delete from "session_outcomes"
  where "account_id" = ? and ("session_id", "seq") in (select "o"."session_id", "o"."seq"
  from "session_outcomes" as "o"
  where "o"."account_id" = ? and "o"."session_id" < ?
  order by "o"."session_id"
  limit ?);

-- PostgreSQL
delete from "session_outcomes"
  where "account_id" = $1 and ("session_id", "seq") in (select "o"."session_id", "o"."seq"
  from "session_outcomes" as "o"
  where "o"."account_id" = $2 and "o"."session_id" < $3
  order by "o"."session_id"
  limit $4);

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

-- selectSessionScore

-- SQLite
select "service_score", "at", "mode", "attested", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"
  from "session_records"
  where "account_id" = ? and "id" = ?;

-- PostgreSQL
select "service_score", "at", "mode", "attested", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"
  from "session_records"
  where "account_id" = $1 and "id" = $2;

-- selectScoredSessions

-- SQLite
select "id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score"
  from "session_records"
  where "account_id" = ? and "id" > ? and "id" < ? and "mode" = ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score"
  from "session_records"
  where "account_id" = $1 and "id" > $2 and "id" < $3 and "mode" = $4
  order by "id"
  limit $5;

-- selectSessionBeyond

-- SQLite
select "id"
  from "session_records"
  where "account_id" = ? and "id" > ? and "id" < ? and "mode" = ?
  order by "id"
  limit ? offset ?;

-- PostgreSQL
select "id"
  from "session_records"
  where "account_id" = $1 and "id" > $2 and "id" < $3 and "mode" = $4
  order by "id"
  limit $5 offset $6;

-- selectLatestSessions

-- SQLite
select "id", "mode", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "model_version", "calibration"
  from "session_records"
  where "account_id" = ? and "id" >= ? and "id" < ?
  order by "id" desc
  limit ?;

-- PostgreSQL
select "id", "mode", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "model_version", "calibration"
  from "session_records"
  where "account_id" = $1 and "id" >= $2 and "id" < $3
  order by "id" desc
  limit $4;
