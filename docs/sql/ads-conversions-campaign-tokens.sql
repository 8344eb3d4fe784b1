-- Made by "npm run sql" from apps/api/src/ads/conversions/campaign-tokens.table.ts; do not edit.

-- selectToken

-- SQLite
select "token_hash", "created_at"
  from "campaign_tokens"
  where "campaign_id" = ?;

-- PostgreSQL
select "token_hash", "created_at"
  from "campaign_tokens"
  where "campaign_id" = $1;

-- upsertToken

-- SQLite
insert into "campaign_tokens" ("campaign_id", "token_hash", "created_at") select "id", cast(? as text) as "token_hash", cast(? as bigint) as "created_at"
  from "campaigns"
  where "id" = ?
  on conflict ("campaign_id") do update set "token_hash" = ?, "created_at" = ?;

-- PostgreSQL
insert into "campaign_tokens" ("campaign_id", "token_hash", "created_at") select "id", cast($1 as text) as "token_hash", cast($2 as bigint) as "created_at"
  from "campaigns"
  where "id" = $3
  on conflict ("campaign_id") do update set "token_hash" = $4, "created_at" = $5;
