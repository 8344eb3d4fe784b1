-- Made by "npm run sql" from apps/api/src/money/ledger/movements.table.ts; do not edit.

-- addToMovementHours

-- SQLite
insert into "movement_hours" ("account_id", "hour", "kind", "payer", "entries", "gross_micro", "developer_micro", "platform_micro")
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "hour", "kind", "payer") do update set "entries" = "movement_hours"."entries" + "excluded"."entries", "gross_micro" = "movement_hours"."gross_micro" + "excluded"."gross_micro", "developer_micro" = "movement_hours"."developer_micro" + "excluded"."developer_micro", "platform_micro" = "movement_hours"."platform_micro" + "excluded"."platform_micro";

-- PostgreSQL
insert into "movement_hours" ("account_id", "hour", "kind", "payer", "entries", "gross_micro", "developer_micro", "platform_micro")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict ("account_id", "hour", "kind", "payer") do update set "entries" = "movement_hours"."entries" + "excluded"."entries", "gross_micro" = "movement_hours"."gross_micro" + "excluded"."gross_micro", "developer_micro" = "movement_hours"."developer_micro" + "excluded"."developer_micro", "platform_micro" = "movement_hours"."platform_micro" + "excluded"."platform_micro";

-- selectMovementsOfAccount

-- SQLite
select "hour", "kind", "payer", "entries", "gross_micro", "developer_micro", "platform_micro"
  from "movement_hours"
  where "account_id" = ?;

-- PostgreSQL
select "hour", "kind", "payer", "entries", "gross_micro", "developer_micro", "platform_micro"
  from "movement_hours"
  where "account_id" = $1;

-- sumMovements

-- SQLite
select "kind", "payer", sum("entries") as "entries", sum("gross_micro") as "gross_micro", sum("developer_micro") as "developer_micro", sum("platform_micro") as "platform_micro"
  from "movement_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by "kind", "payer"
  order by "kind", "payer";

-- PostgreSQL
select "kind", "payer", sum("entries") as "entries", sum("gross_micro") as "gross_micro", sum("developer_micro") as "developer_micro", sum("platform_micro") as "platform_micro"
  from "movement_hours"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by "kind", "payer"
  order by "kind", "payer";

-- sumMovementsByTime

-- SQLite
select hour - hour % 86400000 as "start", "kind", "payer", sum("entries") as "entries", sum("gross_micro") as "gross_micro", sum("developer_micro") as "developer_micro"
  from "movement_hours"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by hour - hour % 86400000, "kind", "payer"
  order by hour - hour % 86400000;

-- PostgreSQL
select hour - hour % 86400000 as "start", "kind", "payer", sum("entries") as "entries", sum("gross_micro") as "gross_micro", sum("developer_micro") as "developer_micro"
  from "movement_hours"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by hour - hour % 86400000, "kind", "payer"
  order by hour - hour % 86400000;

-- sumCallsByTimeAndPayer

-- SQLite
select hour - hour % 86400000 as "start", "payer", sum("calls") as "calls", sum("gross_micro") as "gross_micro", sum("developer_micro") as "developer_micro"
  from "usage_rollups"
  where "account_id" = ? and "hour" >= ? and "hour" < ?
  group by hour - hour % 86400000, "payer"
  order by hour - hour % 86400000;

-- PostgreSQL
select hour - hour % 86400000 as "start", "payer", sum("calls") as "calls", sum("gross_micro") as "gross_micro", sum("developer_micro") as "developer_micro"
  from "usage_rollups"
  where "account_id" = $1 and "hour" >= $2 and "hour" < $3
  group by hour - hour % 86400000, "payer"
  order by hour - hour % 86400000;

-- sumCallBalanceBefore

-- SQLite
select sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end) as "balance_micro"
  from "usage_rollups"
  where "account_id" = ? and "hour" < ?;

-- PostgreSQL
select sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end) as "balance_micro"
  from "usage_rollups"
  where "account_id" = $1 and "hour" < $2;

-- sumMovementBalanceBefore

-- SQLite
select sum(developer_micro - case when payer = 'developer' and kind not in ('deposit', 'adjustment') then gross_micro else 0 end) as "balance_micro"
  from "movement_hours"
  where "account_id" = ? and "hour" < ?;

-- PostgreSQL
select sum(developer_micro - case when payer = 'developer' and kind not in ('deposit', 'adjustment') then gross_micro else 0 end) as "balance_micro"
  from "movement_hours"
  where "account_id" = $1 and "hour" < $2;

-- selectEntryPlace

-- SQLite
select "seq", "at", "hash"
  from "ledger_entries"
  where "account_id" = ? and "seq" = ?;

-- PostgreSQL
select "seq", "at", "hash"
  from "ledger_entries"
  where "account_id" = $1 and "seq" = $2;

-- sumClicksOf

-- SQLite
select sum(developer_micro) as "developer_micro"
  from "clicks"
  where "account_id" = ? and "ledger_seq" >= ? and "ledger_seq" <= ? and "status" = 'pending' and "waiting_id" is null;

-- PostgreSQL
select sum(developer_micro) as "developer_micro"
  from "clicks"
  where "account_id" = $1 and "ledger_seq" >= $2 and "ledger_seq" <= $3 and "status" = 'pending' and "waiting_id" is null;

-- selectEntriesBefore

-- SQLite
select "account_id", "seq", "at", "kind", "ref", "endpoint", "payer", "share_bps", "gross_micro", "developer_micro", "platform_micro", "prev_hash", "hash"
  from "ledger_entries"
  where "account_id" = ? and "seq" < ?
  order by "seq" desc
  limit ?;

-- PostgreSQL
select "account_id", "seq", "at", "kind", "ref", "endpoint", "payer", "share_bps", "gross_micro", "developer_micro", "platform_micro", "prev_hash", "hash"
  from "ledger_entries"
  where "account_id" = $1 and "seq" < $2
  order by "seq" desc
  limit $3;
