-- Made by "npm run sql" from apps/api/src/attestation/networks/networks.table.ts; do not edit.

-- insertSalt

-- SQLite
insert into "network_salts" ("day", "salt")
  values (?, ?)
  on conflict ("day") do nothing;

-- PostgreSQL
insert into "network_salts" ("day", "salt")
  values ($1, $2)
  on conflict ("day") do nothing;

-- selectSalts

-- SQLite
select "day", "salt"
  from "network_salts"
  order by "day" desc;

-- PostgreSQL
select "day", "salt"
  from "network_salts"
  order by "day" desc;

-- selectDaysBefore

-- SQLite
select "day"
  from "network_salts"
  where "day" < ?;

-- PostgreSQL
select "day"
  from "network_salts"
  where "day" < $1;

-- blankSaltsBefore

-- SQLite
update "network_salts" set "salt" = ?
  where "day" < ? and "salt" <> ?;

-- PostgreSQL
update "network_salts" set "salt" = $1
  where "day" < $2 and "salt" <> $3;

-- deleteSaltsBefore

-- SQLite
delete from "network_salts"
  where "day" < ?;

-- PostgreSQL
delete from "network_salts"
  where "day" < $1;

-- setNetworkDays

-- SQLite
insert into "network_days" ("account_id", "day", "part", "calls", "networks", "top_calls")
  values (?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "day", "part") do update set "calls" = excluded.calls, "networks" = excluded.networks, "top_calls" = excluded.top_calls;

-- PostgreSQL
insert into "network_days" ("account_id", "day", "part", "calls", "networks", "top_calls")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("account_id", "day", "part") do update set "calls" = excluded.calls, "networks" = excluded.networks, "top_calls" = excluded.top_calls;

-- selectNetworkDays

-- SQLite
select "day", "part", "calls", "networks", "top_calls"
  from "network_days"
  where "account_id" = ? and "day" >= ?
  order by "day", "part";

-- PostgreSQL
select "day", "part", "calls", "networks", "top_calls"
  from "network_days"
  where "account_id" = $1 and "day" >= $2
  order by "day", "part";

-- deleteNetworkDaysBefore

-- SQLite
delete from "network_days"
  where ("account_id", "day", "part") in (select "n"."account_id", "n"."day", "n"."part"
  from "network_days" as "n"
  inner join "accounts" as "a" on "a"."id" = "n"."account_id"
  where "n"."day" < ?
  limit ?);

-- PostgreSQL
delete from "network_days"
  where ("account_id", "day", "part") in (select "n"."account_id", "n"."day", "n"."part"
  from "network_days" as "n"
  inner join "accounts" as "a" on "a"."id" = "n"."account_id"
  where "n"."day" < $1
  limit $2);
