-- Made by "npm run sql" from apps/api/src/people/sign-ins.table.ts; do not edit.

-- selectSignIns

-- SQLite
select "id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at"
  from "sign_ins"
  where "account_id" = ? and "expires_at" > ?
  order by "updated_at" desc
  limit ?;

-- PostgreSQL
select "id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at"
  from "sign_ins"
  where "account_id" = $1 and "expires_at" > $2
  order by "updated_at" desc
  limit $3;

-- deleteSignIn

-- SQLite
delete from "sign_ins"
  where "account_id" = ? and "id" = ?;

-- PostgreSQL
delete from "sign_ins"
  where "account_id" = $1 and "id" = $2;

-- deleteSignIns

-- SQLite
delete from "sign_ins"
  where "account_id" = ? and "id" != ?;

-- PostgreSQL
delete from "sign_ins"
  where "account_id" = $1 and "id" != $2;

-- deleteChallengesOfAccount

-- SQLite
delete from "sign_in_challenges"
  where "value" = ?;

-- PostgreSQL
delete from "sign_in_challenges"
  where "value" = $1;

-- deleteSecondFactor

-- SQLite
delete from "second_factors"
  where "account_id" = ?;

-- PostgreSQL
delete from "second_factors"
  where "account_id" = $1;

-- selectVerifiedFactor

-- SQLite
select "id", "secret", "recovery_codes"
  from "second_factors"
  where "account_id" = ? and "verified" = ?;

-- PostgreSQL
select "id", "secret", "recovery_codes"
  from "second_factors"
  where "account_id" = $1 and "verified" = $2;

-- replaceRecoveryCodes

-- SQLite
update "second_factors" set "recovery_codes" = ?
  where "id" = ? and "recovery_codes" = ?;

-- PostgreSQL
update "second_factors" set "recovery_codes" = $1
  where "id" = $2 and "recovery_codes" = $3;

-- spendStep

-- SQLite
update "second_factors" set "last_step" = ?
  where "id" = ? and ("last_step" is null or "last_step" < ?);

-- PostgreSQL
update "second_factors" set "last_step" = $1
  where "id" = $2 and ("last_step" is null or "last_step" < $3);

-- deleteSignInsExpiredBefore

-- SQLite
delete from "sign_ins"
  where "expires_at" < ?;

-- PostgreSQL
delete from "sign_ins"
  where "expires_at" < $1;

-- deleteChallengesExpiredBefore

-- SQLite
delete from "sign_in_challenges"
  where "expires_at" < ?;

-- PostgreSQL
delete from "sign_in_challenges"
  where "expires_at" < $1;
