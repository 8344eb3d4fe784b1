-- Made by "npm run sql" from apps/api/src/attestation/sites/sites.table.ts; do not edit.

-- insertSite

-- SQLite
insert into "sites" ("id", "account_id", "name", "origins", "created_at", "changed_at", "deleted_at", "last_seen_at")
  values (?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "sites" ("id", "account_id", "name", "origins", "created_at", "changed_at", "deleted_at", "last_seen_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- selectSitesOfAccount

-- SQLite
select "id", "account_id", "name", "origins", "created_at", "last_seen_at"
  from "sites"
  where "account_id" = ? and "deleted_at" is null
  order by "created_at" desc, "id" desc;

-- PostgreSQL
select "id", "account_id", "name", "origins", "created_at", "last_seen_at"
  from "sites"
  where "account_id" = $1 and "deleted_at" is null
  order by "created_at" desc, "id" desc;

-- selectAllSites

-- SQLite
select "id", "account_id", "name", "origins", "created_at", "last_seen_at"
  from "sites"
  where "deleted_at" is null and "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "account_id", "name", "origins", "created_at", "last_seen_at"
  from "sites"
  where "deleted_at" is null and "id" > $1
  order by "id"
  limit $2;

-- selectSite

-- SQLite
select "id", "account_id", "name", "origins", "created_at", "last_seen_at"
  from "sites"
  where "id" = ? and "deleted_at" is null;

-- PostgreSQL
select "id", "account_id", "name", "origins", "created_at", "last_seen_at"
  from "sites"
  where "id" = $1 and "deleted_at" is null;

-- countSites

-- SQLite
select count(*) as "count"
  from "sites"
  where "account_id" = ? and "deleted_at" is null;

-- PostgreSQL
select count(*) as "count"
  from "sites"
  where "account_id" = $1 and "deleted_at" is null;

-- changeSite

-- SQLite
update "sites" set "changed_at" = ?, "name" = ?, "origins" = ?
  where "id" = ? and "account_id" = ? and "deleted_at" is null;

-- PostgreSQL
update "sites" set "changed_at" = $1, "name" = $2, "origins" = $3
  where "id" = $4 and "account_id" = $5 and "deleted_at" is null;

-- markSiteDeleted

-- SQLite
update "sites" set "changed_at" = ?, "deleted_at" = ?
  where "id" = ? and "account_id" = ? and "deleted_at" is null;

-- PostgreSQL
update "sites" set "changed_at" = $1, "deleted_at" = $2
  where "id" = $3 and "account_id" = $4 and "deleted_at" is null;

-- eraseSites

-- SQLite
update "sites" set "name" = ?, "origins" = ?, "changed_at" = ?, "deleted_at" = coalesce("deleted_at", cast(? as bigint))
  where "account_id" = ?;

-- PostgreSQL
update "sites" set "name" = $1, "origins" = $2, "changed_at" = $3, "deleted_at" = coalesce("deleted_at", cast($4 as bigint))
  where "account_id" = $5;

-- selectChangedSites

-- SQLite
select "id", "account_id", "origins", "changed_at", "deleted_at"
  from "sites"
  where "changed_at" >= ?
  order by "changed_at", "id"
  limit ?;

-- PostgreSQL
select "id", "account_id", "origins", "changed_at", "deleted_at"
  from "sites"
  where "changed_at" >= $1
  order by "changed_at", "id"
  limit $2;

-- markSitesSeen

-- SQLite
update "sites" set "last_seen_at" = ?
  where "id" in (select "s"."id"
  from "sites" as "s"
  where "s"."id" in (?) and ("s"."last_seen_at" is null or "s"."last_seen_at" < ?)
  order by "s"."id");

-- PostgreSQL
update "sites" set "last_seen_at" = $1
  where "id" in (select "s"."id"
  from "sites" as "s"
  where "s"."id" in ($2) and ("s"."last_seen_at" is null or "s"."last_seen_at" < $3)
  order by "s"."id" for update);

-- addToSiteDays

-- SQLite
insert into "site_days" ("site_id", "day", "sessions", "calls", "attested_calls")
  values (?, ?, ?, ?, ?)
  on conflict ("site_id", "day") do update set "sessions" = site_days.sessions + excluded.sessions, "calls" = site_days.calls + excluded.calls, "attested_calls" = site_days.attested_calls + excluded.attested_calls;

-- PostgreSQL
insert into "site_days" ("site_id", "day", "sessions", "calls", "attested_calls")
  values ($1, $2, $3, $4, $5)
  on conflict ("site_id", "day") do update set "sessions" = site_days.sessions + excluded.sessions, "calls" = site_days.calls + excluded.calls, "attested_calls" = site_days.attested_calls + excluded.attested_calls;

-- sumSiteDays

-- SQLite
select "d"."site_id", sum(d.sessions) as "sessions", sum(d.calls) as "calls", sum(d.attested_calls) as "attested_calls"
  from "sites" as "s"
  inner join "site_days" as "d" on "d"."site_id" = "s"."id"
  where "s"."account_id" = ? and "s"."deleted_at" is null and "d"."day" >= ?
  group by "d"."site_id";

-- PostgreSQL
select "d"."site_id", sum(d.sessions) as "sessions", sum(d.calls) as "calls", sum(d.attested_calls) as "attested_calls"
  from "sites" as "s"
  inner join "site_days" as "d" on "d"."site_id" = "s"."id"
  where "s"."account_id" = $1 and "s"."deleted_at" is null and "d"."day" >= $2
  group by "d"."site_id";

-- deleteSiteDaysBefore

-- SQLite
delete from "site_days"
  where ("site_id", "day") in (select "d"."site_id", "d"."day"
  from "site_days" as "d"
  inner join "sites" as "s" on "s"."id" = "d"."site_id"
  where "d"."day" < ?
  limit ?);

-- PostgreSQL
delete from "site_days"
  where ("site_id", "day") in (select "d"."site_id", "d"."day"
  from "site_days" as "d"
  inner join "sites" as "s" on "s"."id" = "d"."site_id"
  where "d"."day" < $1
  limit $2);

-- deleteDaysOfDeletedSites

-- SQLite
delete from "site_days"
  where ("site_id", "day") in (select "d"."site_id", "d"."day"
  from "site_days" as "d"
  inner join "sites" as "s" on "s"."id" = "d"."site_id"
  where "s"."deleted_at" < ?
  limit ?);

-- PostgreSQL
delete from "site_days"
  where ("site_id", "day") in (select "d"."site_id", "d"."day"
  from "site_days" as "d"
  inner join "sites" as "s" on "s"."id" = "d"."site_id"
  where "s"."deleted_at" < $1
  limit $2);

-- deleteDeletedSites

-- SQLite
delete from "sites"
  where "id" in (select "s"."id"
  from "sites" as "s"
  where "s"."deleted_at" < ? and not exists (select "d"."day"
  from "site_days" as "d"
  where "d"."site_id" = "s"."id")
  limit ?);

-- PostgreSQL
delete from "sites"
  where "id" in (select "s"."id"
  from "sites" as "s"
  where "s"."deleted_at" < $1 and not exists (select "d"."day"
  from "site_days" as "d"
  where "d"."site_id" = "s"."id")
  limit $2);
