-- Made by "npm run sql" from apps/api/src/people/second-factors.table.ts; do not edit.

-- selectSecondFactor

-- SQLite
select "id", "secret", "recovery_codes", "verified", "locked_until"
  from "second_factors"
  where "account_id" = ?;

-- PostgreSQL
select "id", "secret", "recovery_codes", "verified", "locked_until"
  from "second_factors"
  where "account_id" = $1;

-- insertSecondFactor

-- SQLite
insert into "second_factors" ("id", "account_id", "secret", "recovery_codes", "verified", "failures", "locked_until", "last_step")
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id") do nothing;

-- PostgreSQL
insert into "second_factors" ("id", "account_id", "secret", "recovery_codes", "verified", "failures", "locked_until", "last_step")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict ("account_id") do nothing;

-- deleteSecondFactor

-- SQLite
delete from "second_factors"
  where "account_id" = ?;

-- PostgreSQL
delete from "second_factors"
  where "account_id" = $1;

-- deleteUnverifiedFactor

-- SQLite
delete from "second_factors"
  where "account_id" = ? and "verified" = ?;

-- PostgreSQL
delete from "second_factors"
  where "account_id" = $1 and "verified" = $2;

-- setFactorVerified

-- SQLite
update "second_factors" set "verified" = ?
  where "id" = ? and "verified" = ?;

-- PostgreSQL
update "second_factors" set "verified" = $1
  where "id" = $2 and "verified" = $3;

-- spendStep

-- SQLite
update "second_factors" set "last_step" = ?
  where "id" = ? and ("last_step" is null or "last_step" < ?);

-- PostgreSQL
update "second_factors" set "last_step" = $1
  where "id" = $2 and ("last_step" is null or "last_step" < $3);

-- replaceRecoveryCodes

-- SQLite
update "second_factors" set "recovery_codes" = ?
  where "id" = ? and "recovery_codes" = ?;

-- PostgreSQL
update "second_factors" set "recovery_codes" = $1
  where "id" = $2 and "recovery_codes" = $3;

-- setRecoveryCodes

-- SQLite
update "second_factors" set "recovery_codes" = ?
  where "id" = ?;

-- PostgreSQL
update "second_factors" set "recovery_codes" = $1
  where "id" = $2;

-- unlockFactor

-- SQLite
update "second_factors" set "failures" = ?, "locked_until" = ?
  where "id" = ? and "locked_until" <= ?;

-- PostgreSQL
update "second_factors" set "failures" = $1, "locked_until" = $2
  where "id" = $3 and "locked_until" <= $4;

-- countFactorTry

-- SQLite
update "second_factors" set "failures" = "failures" + ?
  where "id" = ? and "locked_until" is null;

-- PostgreSQL
update "second_factors" set "failures" = "failures" + $1
  where "id" = $2 and "locked_until" is null;

-- lockFactor

-- SQLite
update "second_factors" set "locked_until" = ?
  where "id" = ? and "failures" >= ? and "locked_until" is null;

-- PostgreSQL
update "second_factors" set "locked_until" = $1
  where "id" = $2 and "failures" >= $3 and "locked_until" is null;

-- clearFactorTries

-- SQLite
update "second_factors" set "failures" = ?, "locked_until" = ?
  where "id" = ?;

-- PostgreSQL
update "second_factors" set "failures" = $1, "locked_until" = $2
  where "id" = $3;

-- selectFactorsOfOthers

-- SQLite
select "id", "account_id", "secret", "recovery_codes"
  from "second_factors"
  where ("secret" not like ? or "recovery_codes" not like ?) and "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "account_id", "secret", "recovery_codes"
  from "second_factors"
  where ("secret" not like $1 or "recovery_codes" not like $2) and "id" > $3
  order by "id"
  limit $4;

-- replaceFactor

-- SQLite
update "second_factors" set "secret" = ?, "recovery_codes" = ?
  where "id" = ? and "secret" = ? and "recovery_codes" = ?;

-- PostgreSQL
update "second_factors" set "secret" = $1, "recovery_codes" = $2
  where "id" = $3 and "secret" = $4 and "recovery_codes" = $5;
