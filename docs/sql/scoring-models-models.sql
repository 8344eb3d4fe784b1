-- Made by "npm run sql" from apps/api/src/scoring/models/models.table.ts; do not edit.

-- selectSetting

-- SQLite
select "value", "at"
  from "installation_settings"
  where "name" = ?;

-- PostgreSQL
select "value", "at"
  from "installation_settings"
  where "name" = $1;

-- upsertSetting

-- SQLite
insert into "installation_settings" ("name", "value", "at")
  values (?, ?, ?)
  on conflict ("name") do update set "value" = ?, "at" = ?;

-- PostgreSQL
insert into "installation_settings" ("name", "value", "at")
  values ($1, $2, $3)
  on conflict ("name") do update set "value" = $4, "at" = $5;

-- deleteSetting

-- SQLite
delete from "installation_settings"
  where "name" = ?;

-- PostgreSQL
delete from "installation_settings"
  where "name" = $1;
