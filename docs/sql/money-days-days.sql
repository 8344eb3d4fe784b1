-- Made by "npm run sql" from apps/api/src/money/days/days.table.ts; do not edit.

-- selectSettlement

-- SQLite
select "confirmed_to"
  from "call_settlements"
  where "account_id" = ?;

-- PostgreSQL
select "confirmed_to"
  from "call_settlements"
  where "account_id" = $1;

-- moveSettlement

-- SQLite
insert into "call_settlements" ("account_id", "confirmed_to")
  values (?, ?)
  on conflict ("account_id") do update set "confirmed_to" = ?
  where "call_settlements"."confirmed_to" < ?;

-- PostgreSQL
insert into "call_settlements" ("account_id", "confirmed_to")
  values ($1, $2)
  on conflict ("account_id") do update set "confirmed_to" = $3
  where "call_settlements"."confirmed_to" < $4;

-- selectAccountsToSettle

-- SQLite
select "h"."account_id"
  from "ledger_heads" as "h"
  left join "call_settlements" as "s" on "s"."account_id" = "h"."account_id"
  where "h"."account_id" > ? and coalesce(s.confirmed_to, 0) < ? and "h"."at" >= coalesce(s.confirmed_to, 0) and exists (select 1 as "one"
  from "usage_rollups" as "u"
  where "u"."account_id" = "h"."account_id" and "u"."hour" >= coalesce(s.confirmed_to, 0) and "u"."hour" < ?)
  order by "h"."account_id"
  limit ?;

-- PostgreSQL
select "h"."account_id"
  from "ledger_heads" as "h"
  left join "call_settlements" as "s" on "s"."account_id" = "h"."account_id"
  where "h"."account_id" > $1 and coalesce(s.confirmed_to, 0) < $2 and "h"."at" >= coalesce(s.confirmed_to, 0) and exists (select 1 as "one"
  from "usage_rollups" as "u"
  where "u"."account_id" = "h"."account_id" and "u"."hour" >= coalesce(s.confirmed_to, 0) and "u"."hour" < $3)
  order by "h"."account_id"
  limit $4;

-- sumPendingCalls

-- SQLite
select (select coalesce(sum(u.developer_micro), 0) as "sum"
  from "accounts" as "a"
  left join "call_settlements" as "s" on "s"."account_id" = "a"."id"
  inner join "usage_rollups" as "u" on "u"."account_id" = "a"."id" and "u"."hour" >= coalesce(s.confirmed_to, 0) and "u"."payer" = ?
  where "a"."id" = ?) as "developer_micro", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "accounts" as "a"
  left join "call_settlements" as "s" on "s"."account_id" = "a"."id"
  inner join "call_days" as "d" on "d"."account_id" = "a"."id" and "d"."day" >= coalesce(s.confirmed_to, 0)
  where "a"."id" = ?) as "reversed_micro";

-- PostgreSQL
select (select coalesce(sum(u.developer_micro), 0) as "sum"
  from "accounts" as "a"
  left join "call_settlements" as "s" on "s"."account_id" = "a"."id"
  inner join "usage_rollups" as "u" on "u"."account_id" = "a"."id" and "u"."hour" >= coalesce(s.confirmed_to, 0) and "u"."payer" = $1
  where "a"."id" = $2) as "developer_micro", (select coalesce(sum(d.reversed_developer_micro), 0) as "sum"
  from "accounts" as "a"
  left join "call_settlements" as "s" on "s"."account_id" = "a"."id"
  inner join "call_days" as "d" on "d"."account_id" = "a"."id" and "d"."day" >= coalesce(s.confirmed_to, 0)
  where "a"."id" = $3) as "reversed_micro";

-- selectCallDays

-- SQLite
select "account_id", "day", "state", "calls", "gross_micro", "developer_micro", "reversed_calls", "reversed_gross_micro", "reversed_developer_micro", "reversals", "settled_at"
  from "call_days"
  where "account_id" = ? and "day" >= ? and "day" < ?
  order by "day";

-- PostgreSQL
select "account_id", "day", "state", "calls", "gross_micro", "developer_micro", "reversed_calls", "reversed_gross_micro", "reversed_developer_micro", "reversals", "settled_at"
  from "call_days"
  where "account_id" = $1 and "day" >= $2 and "day" < $3
  order by "day";

-- putCallDay

-- SQLite
insert into "call_days" ("account_id", "day", "state", "calls", "gross_micro", "developer_micro", "reversed_calls", "reversed_gross_micro", "reversed_developer_micro", "reversals", "settled_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "day") do update set "state" = ?, "calls" = ?, "gross_micro" = ?, "developer_micro" = ?, "reversed_calls" = ?, "reversed_gross_micro" = ?, "reversed_developer_micro" = ?, "reversals" = ?, "settled_at" = ?
  where "call_days"."settled_at" is null;

-- PostgreSQL
insert into "call_days" ("account_id", "day", "state", "calls", "gross_micro", "developer_micro", "reversed_calls", "reversed_gross_micro", "reversed_developer_micro", "reversals", "settled_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict ("account_id", "day") do update set "state" = $12, "calls" = $13, "gross_micro" = $14, "developer_micro" = $15, "reversed_calls" = $16, "reversed_gross_micro" = $17, "reversed_developer_micro" = $18, "reversals" = $19, "settled_at" = $20
  where "call_days"."settled_at" is null;

-- changeSettledDay

-- SQLite
update "call_days" set "reversed_calls" = ?, "reversed_gross_micro" = ?, "reversed_developer_micro" = ?, "reversals" = ?
  where "account_id" = ? and "day" = ? and "settled_at" is not null;

-- PostgreSQL
update "call_days" set "reversed_calls" = $1, "reversed_gross_micro" = $2, "reversed_developer_micro" = $3, "reversals" = $4
  where "account_id" = $5 and "day" = $6 and "settled_at" is not null;

-- insertCallReversals

-- SQLite
insert into "call_reversals" ("account_id", "ledger_seq", "ref", "day", "share_bps", "calls", "gross_micro", "developer_micro", "reason", "finding_id", "actor_account_id", "at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "call_reversals" ("account_id", "ledger_seq", "ref", "day", "share_bps", "calls", "gross_micro", "developer_micro", "reason", "finding_id", "actor_account_id", "at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- sumReversalsOfDay

-- SQLite
select "share_bps", sum(calls) as "calls", sum(gross_micro) as "gross_micro", sum(developer_micro) as "developer_micro"
  from "call_reversals"
  where "account_id" = ? and "day" = ?
  group by "share_bps";

-- PostgreSQL
select "share_bps", sum(calls) as "calls", sum(gross_micro) as "gross_micro", sum(developer_micro) as "developer_micro"
  from "call_reversals"
  where "account_id" = $1 and "day" = $2
  group by "share_bps";

-- sumReversalsByDay

-- SQLite
select "day", sum(developer_micro) as "developer_micro"
  from "call_reversals"
  where "account_id" = ? and "day" >= ? and "day" < ? and "at" < ?
  group by "day";

-- PostgreSQL
select "day", sum(developer_micro) as "developer_micro"
  from "call_reversals"
  where "account_id" = $1 and "day" >= $2 and "day" < $3 and "at" < $4
  group by "day";

-- selectReversalsIn

-- SQLite
select "ref", "ledger_seq", "day", "share_bps", "calls", "gross_micro", "developer_micro", "reason", "at"
  from "call_reversals"
  where "account_id" = ? and "ledger_seq" >= ? and "ledger_seq" <= ?
  order by "ledger_seq"
  limit ?;

-- PostgreSQL
select "ref", "ledger_seq", "day", "share_bps", "calls", "gross_micro", "developer_micro", "reason", "at"
  from "call_reversals"
  where "account_id" = $1 and "ledger_seq" >= $2 and "ledger_seq" <= $3
  order by "ledger_seq"
  limit $4;

-- selectReversalsOfDays

-- SQLite
select "ref", "ledger_seq", "day", "share_bps", "calls", "gross_micro", "developer_micro", "reason", "at"
  from "call_reversals"
  where "account_id" = ? and "day" >= ?
  order by "ledger_seq";

-- PostgreSQL
select "ref", "ledger_seq", "day", "share_bps", "calls", "gross_micro", "developer_micro", "reason", "at"
  from "call_reversals"
  where "account_id" = $1 and "day" >= $2
  order by "ledger_seq";

-- insertReversedCalls

-- SQLite
insert into "reversed_calls" ("account_id", "session_id", "ref")
  values (?, ?, ?);

-- PostgreSQL
insert into "reversed_calls" ("account_id", "session_id", "ref")
  values ($1, $2, $3);

-- selectReversedCalls

-- SQLite
select "session_id"
  from "reversed_calls"
  where "account_id" = ? and "session_id" in (?);

-- PostgreSQL
select "session_id"
  from "reversed_calls"
  where "account_id" = $1 and "session_id" in ($2);

-- selectSeqsOfSessions

-- SQLite
select "ledger_seq" as "seq"
  from "session_records"
  where "account_id" = ? and "id" in (?) and "ledger_seq" is not null
  union select "ledger_seq" as "seq"
  from "evidence_sessions"
  where "account_id" = ? and "id" in (?);

-- PostgreSQL
select "ledger_seq" as "seq"
  from "session_records"
  where "account_id" = $1 and "id" in ($2) and "ledger_seq" is not null
  union select "ledger_seq" as "seq"
  from "evidence_sessions"
  where "account_id" = $3 and "id" in ($4);

-- selectSignalsOfSessions

-- SQLite
select "id", "attested", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"
  from "session_records"
  where "account_id" = ? and "id" in (?)
  union select "id", "attested", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"
  from "evidence_sessions"
  where "account_id" = ? and "id" in (?);

-- PostgreSQL
select "id", "attested", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"
  from "session_records"
  where "account_id" = $1 and "id" in ($2)
  union select "id", "attested", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"
  from "evidence_sessions"
  where "account_id" = $3 and "id" in ($4);

-- selectSeqsOfVector

-- SQLite
select "s"."seq"
  from (select "id", "ledger_seq" as "seq"
  from "session_records"
  where ("account_id" = ? and "id" >= ? and "id" < ? and "ledger_seq" is not null and ("attested" is null or "attested" = ?) and "user_engagement" = ? and "session_duration" = ? and "scroll_depth" = ? and "interaction_count" = ? and "page_views" is null and "return_visitor" = ?)
  union select "id", "ledger_seq" as "seq"
  from "evidence_sessions"
  where ("account_id" = ? and "id" >= ? and "id" < ? and "ledger_seq" is not null and ("attested" is null or "attested" = ?) and "user_engagement" = ? and "session_duration" = ? and "scroll_depth" = ? and "interaction_count" = ? and "page_views" is null and "return_visitor" = ?)) as "s"
  where not exists (select "r"."ref"
  from "reversed_calls" as "r"
  where "r"."account_id" = ? and "r"."session_id" = "s"."id")
  order by "s"."id"
  limit ?;

-- PostgreSQL
select "s"."seq"
  from (select "id", "ledger_seq" as "seq"
  from "session_records"
  where ("account_id" = $1 and "id" >= $2 and "id" < $3 and "ledger_seq" is not null and ("attested" is null or "attested" = $4) and "user_engagement" = $5 and "session_duration" = $6 and "scroll_depth" = $7 and "interaction_count" = $8 and "page_views" is null and "return_visitor" = $9)
  union select "id", "ledger_seq" as "seq"
  from "evidence_sessions"
  where ("account_id" = $10 and "id" >= $11 and "id" < $12 and "ledger_seq" is not null and ("attested" is null or "attested" = $13) and "user_engagement" = $14 and "session_duration" = $15 and "scroll_depth" = $16 and "interaction_count" = $17 and "page_views" is null and "return_visitor" = $18)) as "s"
  where not exists (select "r"."ref"
  from "reversed_calls" as "r"
  where "r"."account_id" = $19 and "r"."session_id" = "s"."id")
  order by "s"."id"
  limit $20;

-- selectSettlementOfCall

-- SQLite
select (select "confirmed_to"
  from "call_settlements"
  where "account_id" = ?) as "confirmed_to", (select count(*) as "count"
  from "reversed_calls"
  where "account_id" = ? and "session_id" = ?) as "reversed_alone", (select count(*) as "count"
  from "call_reversals"
  where "account_id" = ? and "ref" = ?) as "reversed_with_day";

-- PostgreSQL
select (select "confirmed_to"
  from "call_settlements"
  where "account_id" = $1) as "confirmed_to", (select count(*) as "count"
  from "reversed_calls"
  where "account_id" = $2 and "session_id" = $3) as "reversed_alone", (select count(*) as "count"
  from "call_reversals"
  where "account_id" = $4 and "ref" = $5) as "reversed_with_day";

-- selectNewestDays

-- SQLite
select hour - hour % 86400000 as "day", sum(calls) as "calls", sum(developer_micro) as "developer_micro"
  from "usage_rollups"
  where "account_id" = ? and "payer" = ?
  group by hour - hour % 86400000
  order by hour - hour % 86400000 desc
  limit ?;

-- PostgreSQL
select hour - hour % 86400000 as "day", sum(calls) as "calls", sum(developer_micro) as "developer_micro"
  from "usage_rollups"
  where "account_id" = $1 and "payer" = $2
  group by hour - hour % 86400000
  order by hour - hour % 86400000 desc
  limit $3;
