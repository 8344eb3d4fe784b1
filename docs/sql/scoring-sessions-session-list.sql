-- Made by "npm run sql" from apps/api/src/scoring/sessions/session-list.table.ts; do not edit.

-- selectSessions

-- SQLite
select "s"."id", "s"."mode", "s"."endpoint", "s"."at", "s"."user_engagement", "s"."session_duration", "s"."scroll_depth", "s"."interaction_count", "s"."page_views", "s"."return_visitor", "s"."service_score", "s"."confidence", "s"."recommendation", "s"."attested", "s"."attestation_issues", "s"."calibration", "s"."outcome"
  from (select "r"."id", "r"."mode", "r"."endpoint", "r"."at", "r"."user_engagement", "r"."session_duration", "r"."scroll_depth", "r"."interaction_count", "r"."page_views", "r"."return_visitor", "r"."service_score", "r"."confidence", "r"."recommendation", "r"."attested", "r"."attestation_issues", "r"."calibration", (select "o"."outcome"
  from "session_outcomes" as "o"
  where "o"."account_id" = ? and "o"."session_id" = "r"."id"
  order by "o"."seq" desc
  limit ?) as "outcome"
  from "session_records" as "r"
  where "r"."account_id" = ? and "r"."id" >= ? and "r"."id" < ?
  order by "r"."id" desc
  limit ?) as "s"
  where "s"."mode" = ? and "s"."service_score" >= ? and "s"."service_score" < ? and "s"."outcome" = ?
  order by "s"."id" desc
  limit ?;

-- PostgreSQL
select "s"."id", "s"."mode", "s"."endpoint", "s"."at", "s"."user_engagement", "s"."session_duration", "s"."scroll_depth", "s"."interaction_count", "s"."page_views", "s"."return_visitor", "s"."service_score", "s"."confidence", "s"."recommendation", "s"."attested", "s"."attestation_issues", "s"."calibration", "s"."outcome"
  from (select "r"."id", "r"."mode", "r"."endpoint", "r"."at", "r"."user_engagement", "r"."session_duration", "r"."scroll_depth", "r"."interaction_count", "r"."page_views", "r"."return_visitor", "r"."service_score", "r"."confidence", "r"."recommendation", "r"."attested", "r"."attestation_issues", "r"."calibration", (select "o"."outcome"
  from "session_outcomes" as "o"
  where "o"."account_id" = $1 and "o"."session_id" = "r"."id"
  order by "o"."seq" desc
  limit $2) as "outcome"
  from "session_records" as "r"
  where "r"."account_id" = $3 and "r"."id" >= $4 and "r"."id" < $5
  order by "r"."id" desc
  limit $6) as "s"
  where "s"."mode" = $7 and "s"."service_score" >= $8 and "s"."service_score" < $9 and "s"."outcome" = $10
  order by "s"."id" desc
  limit $11;

-- selectScanEnd

-- SQLite
select "id"
  from "session_records"
  where "account_id" = ? and "id" >= ? and "id" < ?
  order by "id" desc
  limit ? offset ?;

-- PostgreSQL
select "id"
  from "session_records"
  where "account_id" = $1 and "id" >= $2 and "id" < $3
  order by "id" desc
  limit $4 offset $5;

-- selectOutcomes

-- SQLite
select "outcome", "at"
  from "session_outcomes"
  where "account_id" = ? and "session_id" = ?
  order by "seq" desc
  limit ?;

-- PostgreSQL
select "outcome", "at"
  from "session_outcomes"
  where "account_id" = $1 and "session_id" = $2
  order by "seq" desc
  limit $3;

-- selectReceipt

-- SQLite
select e.seq || '.' || e.hash as "receipt"
  from "session_records" as "r"
  inner join "ledger_entries" as "e" on "e"."account_id" = "r"."account_id" and "e"."seq" = "r"."ledger_seq"
  where "r"."account_id" = ? and "r"."id" = ?;

-- PostgreSQL
select e.seq || '.' || e.hash as "receipt"
  from "session_records" as "r"
  inner join "ledger_entries" as "e" on "e"."account_id" = "r"."account_id" and "e"."seq" = "r"."ledger_seq"
  where "r"."account_id" = $1 and "r"."id" = $2;
