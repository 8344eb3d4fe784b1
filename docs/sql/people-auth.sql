-- Made by "npm run sql" from apps/api/src/people/auth.table.ts; do not edit.

-- insertAuthRow

-- SQLite
insert into "sign_ins" ("id", "token", "account_id")
  values (?, ?, ?);

-- PostgreSQL
insert into "sign_ins" ("id", "token", "account_id")
  values ($1, $2, $3);

-- selectAuthRows

-- SQLite
select "id", "token", "account_id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at"
  from "sign_ins"
  where "token" = ?
  order by "created_at" desc
  limit ?;

-- PostgreSQL
select "id", "token", "account_id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at"
  from "sign_ins"
  where "token" = $1
  order by "created_at" desc
  limit $2;

-- updateAuthRows

-- SQLite
update "second_factors" set "locked_until" = ?, "failures" = "failures" + ?
  where "account_id" = ?
  returning "id", "account_id", "secret", "recovery_codes", "verified", "failures", "locked_until";

-- PostgreSQL
update "second_factors" set "locked_until" = $1, "failures" = "failures" + $2
  where "account_id" = $3
  returning "id", "account_id", "secret", "recovery_codes", "verified", "failures", "locked_until";

-- deleteAuthRows

-- SQLite
delete from "sign_in_challenges"
  where "expires_at" < ?
  returning "id", "identifier", "value", "created_at", "updated_at", "expires_at";

-- PostgreSQL
delete from "sign_in_challenges"
  where "expires_at" < $1
  returning "id", "identifier", "value", "created_at", "updated_at", "expires_at";

-- selectSignInAccount

-- SQLite
select "a"."id", "a"."email", "a"."password_hash", "a"."status", "a"."verified_at", "a"."operator", "a"."created_at", (select count(*) as "count"
  from "second_factors" as "f"
  where "f"."account_id" = "a"."id" and "f"."verified" = ?) as "second_factors"
  from "accounts" as "a"
  where "a"."email" = ?;

-- PostgreSQL
select "a"."id", "a"."email", "a"."password_hash", "a"."status", "a"."verified_at", "a"."operator", "a"."created_at", (select count(*) as "count"
  from "second_factors" as "f"
  where "f"."account_id" = "a"."id" and "f"."verified" = $1) as "second_factors"
  from "accounts" as "a"
  where "a"."email" = $2;
