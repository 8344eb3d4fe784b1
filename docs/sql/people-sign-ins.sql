-- Made by "npm run sql" from apps/api/src/people/sign-ins.table.ts; do not edit.

-- selectSignInAccount

-- SQLite
select "a"."id", "a"."email", "a"."password_hash", "a"."status", "a"."verified_at", "a"."operator", "a"."created_at", "a"."sign_in_epoch", (select count(*) as "count"
  from "second_factors" as "f"
  where "f"."account_id" = "a"."id" and "f"."verified" = ?) as "second_factors"
  from "accounts" as "a"
  where "a"."email" = ?;

-- PostgreSQL
select "a"."id", "a"."email", "a"."password_hash", "a"."status", "a"."verified_at", "a"."operator", "a"."created_at", "a"."sign_in_epoch", (select count(*) as "count"
  from "second_factors" as "f"
  where "f"."account_id" = "a"."id" and "f"."verified" = $1) as "second_factors"
  from "accounts" as "a"
  where "a"."email" = $2;

-- insertSignIn

-- SQLite
insert into "sign_ins" ("id", "token", "account_id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at")
  values (?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "sign_ins" ("id", "token", "account_id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- selectSignInByToken

-- SQLite
select "s"."id", "s"."token", "s"."account_id", "s"."updated_at", "s"."expires_at", "a"."email", "a"."operator", "a"."verified_at", "a"."status", "a"."sign_in_epoch"
  from "sign_ins" as "s"
  inner join "accounts" as "a" on "a"."id" = "s"."account_id"
  where "s"."token" in (?) and "s"."expires_at" > ?;

-- PostgreSQL
select "s"."id", "s"."token", "s"."account_id", "s"."updated_at", "s"."expires_at", "a"."email", "a"."operator", "a"."verified_at", "a"."status", "a"."sign_in_epoch"
  from "sign_ins" as "s"
  inner join "accounts" as "a" on "a"."id" = "s"."account_id"
  where "s"."token" in ($1) and "s"."expires_at" > $2;

-- renewSignIn

-- SQLite
update "sign_ins" set "updated_at" = ?, "expires_at" = ?
  where "id" = ? and "updated_at" < ?;

-- PostgreSQL
update "sign_ins" set "updated_at" = $1, "expires_at" = $2
  where "id" = $3 and "updated_at" < $4;

-- replaceToken

-- SQLite
update "sign_ins" set "token" = ?
  where "id" = ? and "token" = ? and "expires_at" > ?;

-- PostgreSQL
update "sign_ins" set "token" = $1
  where "id" = $2 and "token" = $3 and "expires_at" > $4;

-- stepUpSignIn

-- SQLite
update "sign_ins" set "stepped_up_at" = ?, "step_up_used_at" = ?
  where "id" = ? and "expires_at" > ?;

-- PostgreSQL
update "sign_ins" set "stepped_up_at" = $1, "step_up_used_at" = $2
  where "id" = $3 and "expires_at" > $4;

-- useStepUp

-- SQLite
update "sign_ins" set "step_up_used_at" = ?
  where "id" = ? and "token" = ? and "stepped_up_at" > ? and "stepped_up_at" <= ? and "step_up_used_at" > ? and "step_up_used_at" <= ?;

-- PostgreSQL
update "sign_ins" set "step_up_used_at" = $1
  where "id" = $2 and "token" = $3 and "stepped_up_at" > $4 and "stepped_up_at" <= $5 and "step_up_used_at" > $6 and "step_up_used_at" <= $7;

-- forgetStepUps

-- SQLite
update "sign_ins" set "stepped_up_at" = ?, "step_up_used_at" = ?
  where "account_id" = ? and "stepped_up_at" is not null;

-- PostgreSQL
update "sign_ins" set "stepped_up_at" = $1, "step_up_used_at" = $2
  where "account_id" = $3 and "stepped_up_at" is not null;

-- deleteSignInsByToken

-- SQLite
delete from "sign_ins"
  where "token" in (?);

-- PostgreSQL
delete from "sign_ins"
  where "token" in ($1);

-- selectOldSignIns

-- SQLite
select "id", "token"
  from "sign_ins"
  where "token" not like ? and "id" > ?
  order by "id"
  limit ?;

-- PostgreSQL
select "id", "token"
  from "sign_ins"
  where "token" not like $1 and "id" > $2
  order by "id"
  limit $3;

-- replaceOldToken

-- SQLite
update "sign_ins" set "token" = ?
  where "id" = ? and "token" = ?;

-- PostgreSQL
update "sign_ins" set "token" = $1
  where "id" = $2 and "token" = $3;

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

-- insertChallenge

-- SQLite
insert into "sign_in_challenges" ("id", "identifier", "value", "failures", "remember", "created_at", "updated_at", "expires_at")
  values (?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "sign_in_challenges" ("id", "identifier", "value", "failures", "remember", "created_at", "updated_at", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- selectChallenge

-- SQLite
select "c"."id", "c"."value" as "account_id", "c"."remember", "a"."sign_in_epoch"
  from "sign_in_challenges" as "c"
  inner join "accounts" as "a" on "a"."id" = "c"."value"
  where "c"."identifier" = ? and "c"."expires_at" > ?;

-- PostgreSQL
select "c"."id", "c"."value" as "account_id", "c"."remember", "a"."sign_in_epoch"
  from "sign_in_challenges" as "c"
  inner join "accounts" as "a" on "a"."id" = "c"."value"
  where "c"."identifier" = $1 and "c"."expires_at" > $2;

-- countChallengeTry

-- SQLite
update "sign_in_challenges" set "failures" = "failures" + ?
  where "id" = ? and "failures" < ?;

-- PostgreSQL
update "sign_in_challenges" set "failures" = "failures" + $1
  where "id" = $2 and "failures" < $3;

-- deleteChallenge

-- SQLite
delete from "sign_in_challenges"
  where "id" = ?;

-- PostgreSQL
delete from "sign_in_challenges"
  where "id" = $1;

-- deleteChallengesOfAccount

-- SQLite
delete from "sign_in_challenges"
  where "value" = ?;

-- PostgreSQL
delete from "sign_in_challenges"
  where "value" = $1;

-- deleteSignInsExpiredBefore

-- SQLite
delete from "sign_ins"
  where "id" in (select "id"
  from "sign_ins"
  where "expires_at" < ?
  limit ?);

-- PostgreSQL
delete from "sign_ins"
  where "id" in (select "id"
  from "sign_ins"
  where "expires_at" < $1
  limit $2);

-- deleteChallengesExpiredBefore

-- SQLite
delete from "sign_in_challenges"
  where "id" in (select "id"
  from "sign_in_challenges"
  where "expires_at" < ?
  limit ?);

-- PostgreSQL
delete from "sign_in_challenges"
  where "id" in (select "id"
  from "sign_in_challenges"
  where "expires_at" < $1
  limit $2);
