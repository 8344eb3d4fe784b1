-- Made by "npm run sql" from apps/api/src/sessions/sessions.table.ts; do not edit.

-- selectSession

-- SQLite
select "r"."id", "r"."mode", "r"."endpoint", "r"."at", "r"."user_engagement", "r"."session_duration", "r"."scroll_depth", "r"."interaction_count", "r"."page_views", "r"."return_visitor", "r"."service_score", "r"."confidence", "r"."recommendation", "r"."model_version", "r"."processing_time_ms", "e"."developer_micro", (select "o"."outcome"
  from "session_outcomes" as "o"
  where "o"."account_id" = "r"."account_id" and "o"."session_id" = "r"."id"
  order by "o"."seq" desc
  limit ?) as "outcome"
  from "session_records" as "r"
  left join "ledger_entries" as "e" on "e"."account_id" = "r"."account_id" and "e"."seq" = "r"."ledger_seq"
  where "r"."account_id" = ? and "r"."id" = ?;

-- PostgreSQL
select "r"."id", "r"."mode", "r"."endpoint", "r"."at", "r"."user_engagement", "r"."session_duration", "r"."scroll_depth", "r"."interaction_count", "r"."page_views", "r"."return_visitor", "r"."service_score", "r"."confidence", "r"."recommendation", "r"."model_version", "r"."processing_time_ms", "e"."developer_micro", (select "o"."outcome"
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
select "session_id", "seq", "outcome", "service_score", "at"
  from "session_outcomes"
  where "account_id" = ? and "mode" = ? and ("at", "session_id", "seq") < (?, ?, ?)
  order by "at" desc, "session_id" desc, "seq" desc
  limit ?;

-- PostgreSQL
select "session_id", "seq", "outcome", "service_score", "at"
  from "session_outcomes"
  where "account_id" = $1 and "mode" = $2 and ("at", "session_id", "seq") < ($3, $4, $5)
  order by "at" desc, "session_id" desc, "seq" desc
  limit $6;
