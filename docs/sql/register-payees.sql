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

-- selectPayees

-- SQLite
select "account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "usable_from"
  from "payee_profiles"
  where "account_id" in (?);

-- PostgreSQL
select "account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "usable_from"
  from "payee_profiles"
  where "account_id" in ($1);

-- selectEarlierSharers

-- SQLite
select distinct "m"."account_id", "e"."account_id" as "earlier_id"
  from "payee_marks" as "m"
  inner join "payee_marks" as "e" on "e"."kind" = "m"."kind" and "e"."mark" = "m"."mark" and "e"."account_id" <> "m"."account_id"
  where "m"."account_id" in (?) and ("e"."entered_at" < "m"."entered_at" or ("e"."entered_at" = "m"."entered_at" and "e"."account_id" < "m"."account_id"));

-- PostgreSQL
select distinct "m"."account_id", "e"."account_id" as "earlier_id"
  from "payee_marks" as "m"
  inner join "payee_marks" as "e" on "e"."kind" = "m"."kind" and "e"."mark" = "m"."mark" and "e"."account_id" <> "m"."account_id"
  where "m"."account_id" in ($1) and ("e"."entered_at" < "m"."entered_at" or ("e"."entered_at" = "m"."entered_at" and "e"."account_id" < "m"."account_id"));

-- selectSharedMark

-- SQLite
select "m"."kind"
  from "payee_marks" as "m"
  inner join "payee_marks" as "o" on "o"."kind" = "m"."kind" and "o"."mark" = "m"."mark"
  where "m"."account_id" = ? and "o"."account_id" = ?
  limit ?;

-- PostgreSQL
select "m"."kind"
  from "payee_marks" as "m"
  inner join "payee_marks" as "o" on "o"."kind" = "m"."kind" and "o"."mark" = "m"."mark"
  where "m"."account_id" = $1 and "o"."account_id" = $2
  limit $3;
