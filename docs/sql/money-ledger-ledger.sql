-- Made by "npm run sql" from apps/api/src/money/ledger/ledger.table.ts; do not edit.

-- openChain

-- SQLite
insert into "ledger_heads" ("account_id", "seq", "hash", "at", "balance_micro", "spendable_micro", "spendable_seq", "share_confirmed_seq")
  values (?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "ledger_heads" ("account_id", "seq", "hash", "at", "balance_micro", "spendable_micro", "spendable_seq", "share_confirmed_seq")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- selectHead

-- SQLite
select "account_id", "seq", "hash", "at", "balance_micro", "spendable_micro", "spendable_seq", "share_confirmed_seq"
  from "ledger_heads"
  where "account_id" = ?;

-- PostgreSQL
select "account_id", "seq", "hash", "at", "balance_micro", "spendable_micro", "spendable_seq", "share_confirmed_seq"
  from "ledger_heads"
  where "account_id" = $1;

-- selectBalance

-- SQLite
select "balance_micro"
  from "ledger_heads"
  where "account_id" = ?;

-- PostgreSQL
select "balance_micro"
  from "ledger_heads"
  where "account_id" = $1;

-- selectHeads

-- SQLite
select "h"."account_id", "h"."seq", "h"."hash", "h"."at", "h"."balance_micro", "h"."spendable_micro", "h"."spendable_seq", "h"."share_confirmed_seq", (select max("e"."seq") as "seq"
  from "ledger_entries" as "e"
  where "e"."account_id" = "h"."account_id") as "last_entry_seq"
  from "ledger_heads" as "h"
  where "h"."account_id" > ?
  order by "h"."account_id"
  limit ?;

-- PostgreSQL
select "h"."account_id", "h"."seq", "h"."hash", "h"."at", "h"."balance_micro", "h"."spendable_micro", "h"."spendable_seq", "h"."share_confirmed_seq", (select max("e"."seq") as "seq"
  from "ledger_entries" as "e"
  where "e"."account_id" = "h"."account_id") as "last_entry_seq"
  from "ledger_heads" as "h"
  where "h"."account_id" > $1
  order by "h"."account_id"
  limit $2;

-- selectEntries

-- SQLite
select "account_id", "seq", "at", "kind", "ref", "endpoint", "payer", "share_bps", "gross_micro", "developer_micro", "platform_micro", "prev_hash", "hash"
  from "ledger_entries"
  where "account_id" = ? and "seq" > ?
  order by "seq"
  limit ?;

-- PostgreSQL
select "account_id", "seq", "at", "kind", "ref", "endpoint", "payer", "share_bps", "gross_micro", "developer_micro", "platform_micro", "prev_hash", "hash"
  from "ledger_entries"
  where "account_id" = $1 and "seq" > $2
  order by "seq"
  limit $3;

-- selectNextAccountWithEntries

-- SQLite
select min("account_id") as "account_id"
  from "ledger_entries"
  where "account_id" > ?;

-- PostgreSQL
select min("account_id") as "account_id"
  from "ledger_entries"
  where "account_id" > $1;

-- selectRollupsOfAccount

-- SQLite
select "hour", "endpoint", "payer", "share_bps", "calls", "gross_micro", "developer_micro", "platform_micro"
  from "usage_rollups"
  where "account_id" = ?;

-- PostgreSQL
select "hour", "endpoint", "payer", "share_bps", "calls", "gross_micro", "developer_micro", "platform_micro"
  from "usage_rollups"
  where "account_id" = $1;

-- sumCallsByRate

-- SQLite
select "endpoint", "payer", "share_bps", sum(calls) as "calls", sum(gross_micro) as "gross_micro", sum(developer_micro) as "developer_micro", sum(platform_micro) as "platform_micro"
  from "usage_rollups"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by "endpoint", "payer", "share_bps"
  order by "endpoint", "share_bps";

-- PostgreSQL
select "endpoint", "payer", "share_bps", sum(calls) as "calls", sum(gross_micro) as "gross_micro", sum(developer_micro) as "developer_micro", sum(platform_micro) as "platform_micro"
  from "usage_rollups"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by "endpoint", "payer", "share_bps"
  order by "endpoint", "share_bps";

-- sumCallsByTime

-- SQLite
select hour - hour % 3600000 as "start", "endpoint", sum(calls) as "calls", sum(gross_micro) as "gross_micro", sum(developer_micro) as "developer_micro", sum(platform_micro) as "platform_micro"
  from "usage_rollups"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by hour - hour % 3600000, "endpoint"
  order by hour - hour % 3600000, "endpoint";

-- PostgreSQL
select hour - hour % 3600000 as "start", "endpoint", sum(calls) as "calls", sum(gross_micro) as "gross_micro", sum(developer_micro) as "developer_micro", sum(platform_micro) as "platform_micro"
  from "usage_rollups"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by hour - hour % 3600000, "endpoint"
  order by hour - hour % 3600000, "endpoint";

-- selectBusiestAccounts

-- SQLite
select "account_id", sum(calls) as "calls"
  from "usage_rollups"
  where "hour" >= ? and "hour" < ?
  group by "account_id"
  order by "calls" desc, "account_id"
  limit ?;

-- PostgreSQL
select "account_id", sum(calls) as "calls"
  from "usage_rollups"
  where "hour" >= $1 and "hour" < $2
  group by "account_id"
  order by "calls" desc, "account_id"
  limit $3;

-- sumAttestedCalls

-- SQLite
select coalesce(sum(calls), 0) as "calls", coalesce(sum(attested_calls), 0) as "attested"
  from "usage_rollups"
  where "account_id" = ? and "hour" >= ? and "hour" < ? and "endpoint" in (?, ?, ?);

-- PostgreSQL
select coalesce(sum(calls), 0) as "calls", coalesce(sum(attested_calls), 0) as "attested"
  from "usage_rollups"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3 and "endpoint" in ($4, $5, $6);

-- lockHeads

-- SQLite
select "account_id", "seq", "hash", "at", "balance_micro", "spendable_micro", "spendable_seq", "share_confirmed_seq"
  from "ledger_heads"
  where "account_id" in (?)
  order by "account_id";

-- PostgreSQL
select "account_id", "seq", "hash", "at", "balance_micro", "spendable_micro", "spendable_seq", "share_confirmed_seq"
  from "ledger_heads"
  where "account_id" in ($1)
  order by "account_id" for update;

-- insertEntries

-- SQLite
insert into "ledger_entries" ("account_id", "seq", "at", "kind", "ref", "endpoint", "payer", "share_bps", "gross_micro", "developer_micro", "platform_micro", "prev_hash", "hash")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "ledger_entries" ("account_id", "seq", "at", "kind", "ref", "endpoint", "payer", "share_bps", "gross_micro", "developer_micro", "platform_micro", "prev_hash", "hash")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- moveHead

-- SQLite
update "ledger_heads" set "seq" = ?, "hash" = ?, "at" = ?, "balance_micro" = ?, "spendable_micro" = ?, "spendable_seq" = ?, "share_confirmed_seq" = ?
  where "account_id" = ?;

-- PostgreSQL
update "ledger_heads" set "seq" = $1, "hash" = $2, "at" = $3, "balance_micro" = $4, "spendable_micro" = $5, "spendable_seq" = $6, "share_confirmed_seq" = $7
  where "account_id" = $8;

-- sumDeveloperCallsSince

-- SQLite
select coalesce(sum(gross_micro), 0) as "gross_micro"
  from "ledger_entries"
  where "account_id" = ? and "seq" > ? and "kind" = ? and "payer" = ?;

-- PostgreSQL
select coalesce(sum(gross_micro), 0) as "gross_micro"
  from "ledger_entries"
  where "account_id" = $1 and "seq" > $2 and "kind" = $3 and "payer" = $4;

-- selectNewestEntries

-- SQLite
select "seq", "at", "ref", "gross_micro", "hash"
  from "ledger_entries"
  where "account_id" = ?
  order by "seq" desc
  limit ?;

-- PostgreSQL
select "seq", "at", "ref", "gross_micro", "hash"
  from "ledger_entries"
  where "account_id" = $1
  order by "seq" desc
  limit $2;

-- selectAnswer

-- SQLite
select "a"."endpoint", "a"."input", "a"."body", "e"."seq", "e"."hash"
  from "idempotency_answers" as "a"
  left join "ledger_entries" as "e" on "e"."account_id" = "a"."account_id" and "e"."seq" = "a"."ledger_seq"
  where "a"."key_hash" = ? and "a"."at" >= ?;

-- PostgreSQL
select "a"."endpoint", "a"."input", "a"."body", "e"."seq", "e"."hash"
  from "idempotency_answers" as "a"
  left join "ledger_entries" as "e" on "e"."account_id" = "a"."account_id" and "e"."seq" = "a"."ledger_seq"
  where "a"."key_hash" = $1 and "a"."at" >= $2;

-- deleteAnswersBefore

-- SQLite
delete from "idempotency_answers"
  where "key_hash" in (select "key_hash"
  from "idempotency_answers"
  where "at" < ?
  order by "at"
  limit ?);

-- PostgreSQL
delete from "idempotency_answers"
  where "key_hash" in (select "key_hash"
  from "idempotency_answers"
  where "at" < $1
  order by "at"
  limit $2);

-- deleteAttestedSessionsBefore

-- SQLite
delete from "attested_sessions"
  where "id" in (select "id"
  from "attested_sessions"
  where "id" < ? and "at" < ?
  order by "id"
  limit ?);

-- PostgreSQL
delete from "attested_sessions"
  where "id" in (select "id"
  from "attested_sessions"
  where "id" < $1 and "at" < $2
  order by "id"
  limit $3);

-- selectActiveAccounts

-- SQLite
select "account_id"
  from "ledger_heads"
  where "account_id" > ? and "at" >= ? and "seq" > ?
  order by "account_id"
  limit ?;

-- PostgreSQL
select "account_id"
  from "ledger_heads"
  where "account_id" > $1 and "at" >= $2 and "seq" > $3
  order by "account_id"
  limit $4;

-- sumPlatformCallsByDay

-- SQLite
select hour - hour % 86400000 as "day", "share_bps", sum(calls) as "calls", sum(gross_micro) as "gross_micro", sum(developer_micro) as "developer_micro", sum(platform_micro) as "platform_micro"
  from "usage_rollups"
  where "account_id" = ? and "hour" >= ? and "hour" < ? and "payer" = ?
  group by hour - hour % 86400000, "share_bps"
  order by hour - hour % 86400000, "share_bps";

-- PostgreSQL
select hour - hour % 86400000 as "day", "share_bps", sum(calls) as "calls", sum(gross_micro) as "gross_micro", sum(developer_micro) as "developer_micro", sum(platform_micro) as "platform_micro"
  from "usage_rollups"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3 and "payer" = $4
  group by hour - hour % 86400000, "share_bps"
  order by hour - hour % 86400000, "share_bps";

-- selectPlatformCalls

-- SQLite
select "seq", "at", "ref", "share_bps", "gross_micro", "developer_micro"
  from "ledger_entries"
  where "account_id" = ? and "seq" in (?, ?) and "kind" = ? and "payer" = ?
  order by "seq";

-- PostgreSQL
select "seq", "at", "ref", "share_bps", "gross_micro", "developer_micro"
  from "ledger_entries"
  where "account_id" = $1 and "seq" in ($2, $3) and "kind" = $4 and "payer" = $5
  order by "seq";

-- selectSeqsOfPlatformCalls

-- SQLite
select "seq"
  from "ledger_entries"
  where "account_id" = ? and "seq" >= ? and "seq" <= ? and "kind" = ? and "payer" = ? and ref >= ? and ref <= ?
  order by "seq"
  limit ?;

-- PostgreSQL
select "seq"
  from "ledger_entries"
  where "account_id" = $1 and "seq" >= $2 and "seq" <= $3 and "kind" = $4 and "payer" = $5 and ref collate "C" >= $6 and ref collate "C" <= $7
  order by "seq"
  limit $8;
