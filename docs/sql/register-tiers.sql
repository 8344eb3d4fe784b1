-- Made by "npm run sql" from apps/api/src/register/tiers.table.ts; do not edit.

-- selectTiers

-- SQLite
select "name", "per_hour", "per_minute", "share_bps"
  from "tiers"
  order by "per_hour", "name";

-- PostgreSQL
select "name", "per_hour", "per_minute", "share_bps"
  from "tiers"
  order by "per_hour", "name";

-- selectTierByName

-- SQLite
select "name", "per_hour", "per_minute", "share_bps"
  from "tiers"
  where lower(name) = lower(?);

-- PostgreSQL
select "name", "per_hour", "per_minute", "share_bps"
  from "tiers"
  where lower(name) = lower($1);

-- insertTier

-- SQLite
insert into "tiers" ("name", "per_hour", "per_minute", "share_bps")
  values (?, ?, ?, ?)
  on conflict do nothing;

-- PostgreSQL
insert into "tiers" ("name", "per_hour", "per_minute", "share_bps")
  values ($1, $2, $3, $4)
  on conflict do nothing;

-- changeTierLimits

-- SQLite
update "tiers" set "per_hour" = ?, "per_minute" = ?, "share_bps" = ?
  where lower(name) = lower(?);

-- PostgreSQL
update "tiers" set "per_hour" = $1, "per_minute" = $2, "share_bps" = $3
  where lower(name) = lower($4);
