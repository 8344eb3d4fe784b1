-- Made by "npm run sql" from apps/api/src/money/ledger/log/log.table.ts; do not edit.

-- lockLog

-- SQLite
select 1 as "locked";

-- PostgreSQL
select pg_advisory_xact_lock($1) as "locked";

-- selectLogs

-- SQLite
select "number", "origin", "opened_at", "reason"
  from "logs"
  order by "number" desc;

-- PostgreSQL
select "number", "origin", "opened_at", "reason"
  from "logs"
  order by "number" desc;

-- insertLog

-- SQLite
insert into "logs" ("number", "origin", "opened_at", "reason")
  values (?, ?, ?, ?);

-- PostgreSQL
insert into "logs" ("number", "origin", "opened_at", "reason")
  values ($1, $2, $3, $4);

-- selectNewestCheckpoint

-- SQLite
select "log", "size", "root", "note", "at"
  from "log_checkpoints"
  where "log" = ?
  order by "size" desc
  limit ?;

-- PostgreSQL
select "log", "size", "root", "note", "at"
  from "log_checkpoints"
  where "log" = $1
  order by "size" desc
  limit $2;

-- selectCheckpointFrom

-- SQLite
select "log", "size", "root", "note", "at"
  from "log_checkpoints"
  where "log" = ? and "size" >= ?
  order by "size"
  limit ?;

-- PostgreSQL
select "log", "size", "root", "note", "at"
  from "log_checkpoints"
  where "log" = $1 and "size" >= $2
  order by "size"
  limit $3;

-- selectCheckpoints

-- SQLite
select "log", "size", "root", "note", "at"
  from "log_checkpoints"
  where "log" = ? and "size" > ?
  order by "size"
  limit ?;

-- PostgreSQL
select "log", "size", "root", "note", "at"
  from "log_checkpoints"
  where "log" = $1 and "size" > $2
  order by "size"
  limit $3;

-- insertCheckpoint

-- SQLite
insert into "log_checkpoints" ("log", "size", "root", "note", "at")
  values (?, ?, ?, ?, ?);

-- PostgreSQL
insert into "log_checkpoints" ("log", "size", "root", "note", "at")
  values ($1, $2, $3, $4, $5);

-- selectCosignatures

-- SQLite
select "witness", "line", "at"
  from "log_cosignatures"
  where "log" = ? and "size" = ?
  order by "witness";

-- PostgreSQL
select "witness", "line", "at"
  from "log_cosignatures"
  where "log" = $1 and "size" = $2
  order by "witness";

-- selectNewestCosignatures

-- SQLite
select "size", "witness", "line", "at"
  from "log_cosignatures"
  where "log" = ?
  order by "size" desc, "witness"
  limit ?;

-- PostgreSQL
select "size", "witness", "line", "at"
  from "log_cosignatures"
  where "log" = $1
  order by "size" desc, "witness"
  limit $2;

-- insertCosignature

-- SQLite
insert into "log_cosignatures" ("log", "size", "witness", "line", "at")
  values (?, ?, ?, ?, ?)
  on conflict ("log", "size", "witness") do nothing;

-- PostgreSQL
insert into "log_cosignatures" ("log", "size", "witness", "line", "at")
  values ($1, $2, $3, $4, $5)
  on conflict ("log", "size", "witness") do nothing;

-- insertTiles

-- SQLite
insert into "log_tiles" ("log", "level", "n", "root", "hashes")
  values (?, ?, ?, ?, ?);

-- PostgreSQL
insert into "log_tiles" ("log", "level", "n", "root", "hashes")
  values ($1, $2, $3, $4, $5);

-- selectTile

-- SQLite
select "root", "hashes"
  from "log_tiles"
  where "log" = ? and "level" = ? and "n" = ?;

-- PostgreSQL
select "root", "hashes"
  from "log_tiles"
  where "log" = $1 and "level" = $2 and "n" = $3;

-- selectTileRoots

-- SQLite
select "n", "root"
  from "log_tiles"
  where "log" = ? and "level" = ? and "n" >= ? and "n" < ?
  order by "n";

-- PostgreSQL
select "n", "root"
  from "log_tiles"
  where "log" = $1 and "level" = $2 and "n" >= $3 and "n" < $4
  order by "n";

-- selectTiles

-- SQLite
select "n", "root", "hashes"
  from "log_tiles"
  where "log" = ? and "level" = ? and "n" >= ?
  order by "n"
  limit ?;

-- PostgreSQL
select "n", "root", "hashes"
  from "log_tiles"
  where "log" = $1 and "level" = $2 and "n" >= $3
  order by "n"
  limit $4;

-- insertRuns

-- SQLite
insert into "log_runs" ("log", "first_index", "account_id", "first_seq", "count")
  values (?, ?, ?, ?, ?);

-- PostgreSQL
insert into "log_runs" ("log", "first_index", "account_id", "first_seq", "count")
  values ($1, $2, $3, $4, $5);

-- selectRunOf

-- SQLite
select "first_index", "first_seq", "count"
  from "log_runs"
  where "log" = ? and "account_id" = ? and "first_seq" <= ?
  order by "first_seq" desc
  limit ?;

-- PostgreSQL
select "first_index", "first_seq", "count"
  from "log_runs"
  where "log" = $1 and "account_id" = $2 and "first_seq" <= $3
  order by "first_seq" desc
  limit $4;

-- selectRuns

-- SQLite
select "first_index", "account_id", "first_seq", "count"
  from "log_runs"
  where "log" = ? and "first_index" >= ?
  order by "first_index"
  limit ?;

-- PostgreSQL
select "first_index", "account_id", "first_seq", "count"
  from "log_runs"
  where "log" = $1 and "first_index" >= $2
  order by "first_index"
  limit $3;

-- selectUnlogged

-- SQLite
select "u"."account_id", "u"."seq", "u"."logged_seq"
  from (select "h"."account_id", "h"."seq", coalesce((select r.first_seq + r.count - 1 as "seq"
  from "log_runs" as "r"
  where "r"."log" = ? and "r"."account_id" = "h"."account_id"
  order by "r"."first_seq" desc
  limit ?), 0) as "logged_seq"
  from "ledger_heads" as "h"
  where "h"."account_id" > ?) as "u"
  where "u"."seq" > "u"."logged_seq"
  order by "u"."account_id"
  limit ?;

-- PostgreSQL
select "u"."account_id", "u"."seq", "u"."logged_seq"
  from (select "h"."account_id", "h"."seq", coalesce((select r.first_seq + r.count - 1 as "seq"
  from "log_runs" as "r"
  where "r"."log" = $1 and "r"."account_id" = "h"."account_id"
  order by "r"."first_seq" desc
  limit $2), 0) as "logged_seq"
  from "ledger_heads" as "h"
  where "h"."account_id" > $3) as "u"
  where "u"."seq" > "u"."logged_seq"
  order by "u"."account_id"
  limit $4;

-- selectHashes

-- SQLite
select "e"."account_id", "e"."seq", "e"."hash"
  from (values (cast(? as text), cast(? as bigint), cast(? as bigint)), (cast(? as text), cast(? as bigint), cast(? as bigint))) as "w"
  inner join "ledger_entries" as "e" on "e"."account_id" = "w"."column1" and "e"."seq" > "w"."column2" and "e"."seq" <= "w"."column3";

-- PostgreSQL
select "e"."account_id", "e"."seq", "e"."hash"
  from (values (cast($1 as text), cast($2 as bigint), cast($3 as bigint)), (cast($4 as text), cast($5 as bigint), cast($6 as bigint))) as "w"
  inner join "ledger_entries" as "e" on "e"."account_id" = "w"."column1" and "e"."seq" > "w"."column2" and "e"."seq" <= "w"."column3";

-- selectRunsOver

-- SQLite
select "first_index", "account_id", "first_seq", "count"
  from "log_runs"
  where "log" = ? and "first_index" >= (select coalesce(max("b"."first_index"), 0) as "first_index"
  from "log_runs" as "b"
  where "b"."log" = ? and "b"."first_index" <= ?) and "first_index" < ?
  order by "first_index";

-- PostgreSQL
select "first_index", "account_id", "first_seq", "count"
  from "log_runs"
  where "log" = $1 and "first_index" >= (select coalesce(max("b"."first_index"), 0) as "first_index"
  from "log_runs" as "b"
  where "b"."log" = $2 and "b"."first_index" <= $3) and "first_index" < $4
  order by "first_index";

-- countEntries

-- SQLite
select coalesce(sum(seq), 0) as "entries"
  from "ledger_heads";

-- PostgreSQL
select coalesce(sum(seq), 0) as "entries"
  from "ledger_heads";
