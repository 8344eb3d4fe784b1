-- Made by "npm run sql" from apps/api/src/register/payees.table.ts; do not edit.

-- selectPayee

-- SQLite
select "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at"
  from "payee_profiles"
  where "account_id" = ?;

-- PostgreSQL
select "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at"
  from "payee_profiles"
  where "account_id" = $1;

-- upsertPayee

-- SQLite
insert into "payee_profiles" ("account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id") do update set "legal_name" = ?, "address" = ?, "country" = ?, "tax_id" = ?, "method" = ?, "account" = ?, "bank_code" = ?, "updated_at" = ?;

-- PostgreSQL
insert into "payee_profiles" ("account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict ("account_id") do update set "legal_name" = $10, "address" = $11, "country" = $12, "tax_id" = $13, "method" = $14, "account" = $15, "bank_code" = $16, "updated_at" = $17;

-- deletePayeeProfile

-- SQLite
delete from "payee_profiles"
  where "account_id" = ?;

-- PostgreSQL
delete from "payee_profiles"
  where "account_id" = $1;
