-- Made by "npm run sql" from apps/api/src/store/migrate.table.ts; do not edit.

-- listAppliedMigrations

-- SQLite
select "name", "at"
  from "migrations"
  order by "name";

-- PostgreSQL
select "name", "at"
  from "migrations"
  order by "name";
