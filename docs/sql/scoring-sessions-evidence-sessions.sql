-- Made by "npm run sql" from apps/api/src/scoring/sessions/evidence-sessions.table.ts; do not edit.

-- selectBilledSignals

-- SQLite
select "id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", NULL as "attested"
  from "session_records"
  where "account_id" = ? and "id" > ? and "id" < ? and "ledger_seq" is not null
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", NULL as "attested"
  from "session_records"
  where "account_id" = $1 and "id" > $2 and "id" < $3 and "ledger_seq" is not null
  order by "id"
  limit $4;

-- selectBilledSessions

-- SQLite
select "id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "attested"
  from "session_records"
  where "account_id" = ? and "id" > ? and "id" < ? and "ledger_seq" is not null
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "attested"
  from "session_records"
  where "account_id" = $1 and "id" > $2 and "id" < $3 and "ledger_seq" is not null
  order by "id"
  limit $4;

-- selectEvidenceSessions

-- SQLite
select "id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "attested"
  from "evidence_sessions"
  where "account_id" = ? and "id" > ? and "id" < ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "attested"
  from "evidence_sessions"
  where "account_id" = $1 and "id" > $2 and "id" < $3
  order by "id"
  limit $4;

-- copyEvidence

-- SQLite
insert into "evidence_sessions" ("account_id", "id", "endpoint", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "ledger_seq", "attested") select "r"."account_id" as "account_id", "r"."id" as "id", "r"."endpoint" as "endpoint", "r"."at" as "at", "r"."user_engagement" as "user_engagement", "r"."session_duration" as "session_duration", "r"."scroll_depth" as "scroll_depth", "r"."interaction_count" as "interaction_count", "r"."page_views" as "page_views", "r"."return_visitor" as "return_visitor", "r"."service_score" as "service_score", "r"."ledger_seq" as "ledger_seq", "r"."attested" as "attested"
  from "session_records" as "r"
  where "r"."account_id" = ? and "r"."id" > ? and "r"."id" < ? and "r"."ledger_seq" is not null
  order by "r"."id"
  limit ?
  on conflict ("account_id", "id") do nothing;

-- PostgreSQL
insert into "evidence_sessions" ("account_id", "id", "endpoint", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "ledger_seq", "attested") select "r"."account_id" as "account_id", "r"."id" as "id", "r"."endpoint" as "endpoint", "r"."at" as "at", "r"."user_engagement" as "user_engagement", "r"."session_duration" as "session_duration", "r"."scroll_depth" as "scroll_depth", "r"."interaction_count" as "interaction_count", "r"."page_views" as "page_views", "r"."return_visitor" as "return_visitor", "r"."service_score" as "service_score", "r"."ledger_seq" as "ledger_seq", "r"."attested" as "attested"
  from "session_records" as "r"
  where "r"."account_id" = $1 and "r"."id" > $2 and "r"."id" < $3 and "r"."ledger_seq" is not null
  order by "r"."id"
  limit $4
  on conflict ("account_id", "id") do nothing;

-- selectEvidencePageEnd

-- SQLite
select max(p.id) as "id"
  from (select "id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "attested"
  from "session_records"
  where "account_id" = ? and "id" > ? and "id" < ? and "ledger_seq" is not null
  order by "id"
  limit ?) as "p";

-- PostgreSQL
select max(p.id) as "id"
  from (select "id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "attested"
  from "session_records"
  where "account_id" = $1 and "id" > $2 and "id" < $3 and "ledger_seq" is not null
  order by "id"
  limit $4) as "p";

-- selectEvidenceSpans

-- SQLite
select "account_id", min("id") as "first_id"
  from "evidence_sessions"
  where "account_id" > ?
  group by "account_id"
  order by "account_id"
  limit ?;

-- PostgreSQL
select "account_id", min("id") as "first_id"
  from "evidence_sessions"
  where "account_id" > $1
  group by "account_id"
  order by "account_id"
  limit $2;

-- deleteEvidenceSessions

-- SQLite
delete from "evidence_sessions"
  where "account_id" = ? and "id" in (select "e"."id"
  from "evidence_sessions" as "e"
  where "e"."account_id" = ? and "e"."id" < ?
  order by "e"."id"
  limit ?);

-- PostgreSQL
delete from "evidence_sessions"
  where "account_id" = $1 and "id" in (select "e"."id"
  from "evidence_sessions" as "e"
  where "e"."account_id" = $2 and "e"."id" < $3
  order by "e"."id"
  limit $4);
