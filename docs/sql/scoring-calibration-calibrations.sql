-- Made by "npm run sql" from apps/api/src/scoring/calibration/calibrations.table.ts; do not edit.

-- selectCalibrations

-- SQLite
select "version", "model_version", "shift", "slope", "good", "bad", "error_before", "error_after", "outcomes_to", "fitted_by", "fitted_at"
  from "calibrations"
  where "account_id" = ?
  order by "version" desc
  limit ?;

-- PostgreSQL
select "version", "model_version", "shift", "slope", "good", "bad", "error_before", "error_after", "outcomes_to", "fitted_by", "fitted_at"
  from "calibrations"
  where "account_id" = $1
  order by "version" desc
  limit $2;

-- selectSwitch

-- SQLite
select "calibration_version", "model_version" as "pinned_model", "created_at"
  from "accounts"
  where "id" = ?;

-- PostgreSQL
select "calibration_version", "model_version" as "pinned_model", "created_at"
  from "accounts"
  where "id" = $1;

-- selectActiveCalibration

-- SQLite
select "c"."version", "c"."model_version", "c"."shift", "c"."slope"
  from "accounts" as "a"
  inner join "calibrations" as "c" on "c"."account_id" = "a"."id" and "c"."version" = "a"."calibration_version"
  where "a"."id" = ?;

-- PostgreSQL
select "c"."version", "c"."model_version", "c"."shift", "c"."slope"
  from "accounts" as "a"
  inner join "calibrations" as "c" on "c"."account_id" = "a"."id" and "c"."version" = "a"."calibration_version"
  where "a"."id" = $1;

-- selectCalibrationOfSession

-- SQLite
select "c"."version", "c"."shift", "c"."slope"
  from "session_records" as "r"
  inner join "calibrations" as "c" on "c"."account_id" = "r"."account_id" and "c"."version" = "r"."calibration"
  where "r"."account_id" = ? and "r"."id" = ?;

-- PostgreSQL
select "c"."version", "c"."shift", "c"."slope"
  from "session_records" as "r"
  inner join "calibrations" as "c" on "c"."account_id" = "r"."account_id" and "c"."version" = "r"."calibration"
  where "r"."account_id" = $1 and "r"."id" = $2;

-- insertCalibration

-- SQLite
insert into "calibrations" ("account_id", "version", "model_version", "shift", "slope", "good", "bad", "error_before", "error_after", "outcomes_to", "fitted_by", "fitted_at") select "a"."id", (select coalesce(max(c.version), 0) + 1 as "next"
  from "calibrations" as "c"
  where "c"."account_id" = "a"."id") as "version", cast(? as text) as "model_version", cast(? as double precision) as "shift", cast(? as double precision) as "slope", cast(? as bigint) as "good", cast(? as bigint) as "bad", cast(? as double precision) as "error_before", cast(? as double precision) as "error_after", cast(? as bigint) as "outcomes_to", cast(? as text) as "fitted_by", cast(? as bigint) as "fitted_at"
  from "accounts" as "a"
  where "a"."id" = ? and "a"."calibration_version" = ?;

-- PostgreSQL
insert into "calibrations" ("account_id", "version", "model_version", "shift", "slope", "good", "bad", "error_before", "error_after", "outcomes_to", "fitted_by", "fitted_at") select "a"."id", (select coalesce(max(c.version), 0) + 1 as "next"
  from "calibrations" as "c"
  where "c"."account_id" = "a"."id") as "version", cast($1 as text) as "model_version", cast($2 as double precision) as "shift", cast($3 as double precision) as "slope", cast($4 as bigint) as "good", cast($5 as bigint) as "bad", cast($6 as double precision) as "error_before", cast($7 as double precision) as "error_after", cast($8 as bigint) as "outcomes_to", cast($9 as text) as "fitted_by", cast($10 as bigint) as "fitted_at"
  from "accounts" as "a"
  where "a"."id" = $11 and "a"."calibration_version" = $12;

-- switchToNewest

-- SQLite
update "accounts" set "calibration_version" = (select max("c"."version") as "newest"
  from "calibrations" as "c"
  where "c"."account_id" = ?)
  where "id" = ? and "calibration_version" = ?;

-- PostgreSQL
update "accounts" set "calibration_version" = (select max("c"."version") as "newest"
  from "calibrations" as "c"
  where "c"."account_id" = $1)
  where "id" = $2 and "calibration_version" = $3;

-- switchOff

-- SQLite
update "accounts" set "calibration_version" = ?
  where "id" = ? and "calibration_version" is not null;

-- PostgreSQL
update "accounts" set "calibration_version" = $1
  where "id" = $2 and "calibration_version" is not null;

-- selectCalibratedAccounts

-- SQLite
select "a"."id", "a"."created_at", "a"."model_version" as "pinned_model", "c"."version", "c"."model_version", "c"."outcomes_to"
  from "accounts" as "a"
  inner join "calibrations" as "c" on "c"."account_id" = "a"."id" and "c"."version" = "a"."calibration_version"
  where "a"."id" > ? and "a"."status" = ?
  order by "a"."id"
  limit ?;

-- PostgreSQL
select "a"."id", "a"."created_at", "a"."model_version" as "pinned_model", "c"."version", "c"."model_version", "c"."outcomes_to"
  from "accounts" as "a"
  inner join "calibrations" as "c" on "c"."account_id" = "a"."id" and "c"."version" = "a"."calibration_version"
  where "a"."id" > $1 and "a"."status" = $2
  order by "a"."id"
  limit $3;
