import { sql } from "kysely";
import type { CalibrationRow, Db } from "../../store/schema.ts";

const columns = [
  "version",
  "model_version",
  "shift",
  "slope",
  "good",
  "bad",
  "error_before",
  "error_after",
  "outcomes_to",
  "fitted_by",
  "fitted_at",
] as const;

/** The newest first. */
export function selectCalibrations(db: Db, page: { accountId: string; limit: number }) {
  return db.selectFrom("calibrations").select(columns).where("account_id", "=", page.accountId).orderBy("version", "desc").limit(page.limit);
}

/** What the account is on, and what decides which model scores its sessions. */
export function selectSwitch(db: Db, accountId: string) {
  return db
    .selectFrom("accounts")
    .select(["calibration_version", "model_version as pinned_model", "created_at"])
    .where("id", "=", accountId);
}

/** No row if none is switched on. */
export function selectActiveCalibration(db: Db, accountId: string) {
  return db
    .selectFrom("accounts as a")
    .innerJoin("calibrations as c", (join) => join.onRef("c.account_id", "=", "a.id").onRef("c.version", "=", "a.calibration_version"))
    .select(["c.version", "c.model_version", "c.shift", "c.slope"])
    .where("a.id", "=", accountId);
}

/** The calibration that a session's score is on; no row if it is on the shipped one. */
export function selectCalibrationOfSession(db: Db, session: { accountId: string; sessionId: string }) {
  return db
    .selectFrom("session_records as r")
    .innerJoin("calibrations as c", (join) => join.onRef("c.account_id", "=", "r.account_id").onRef("c.version", "=", "r.calibration"))
    .select(["c.version", "c.shift", "c.slope"])
    .where("r.account_id", "=", session.accountId)
    .where("r.id", "=", session.sessionId);
}

/** `on`: the version that must still be switched on, or "any" where it does not matter. */
type Precondition = { accountId: string; on: number | "any" };

/**
 * Numbers the calibration and appends it; no row if the precondition does not hold. Of two that are numbered at the same
 * time on PostgreSQL, one fails by the primary key and is tried again.
 */
export function insertCalibration(db: Db, { accountId, on }: Precondition, row: Omit<CalibrationRow, "account_id" | "version">) {
  return db
    .insertInto("calibrations")
    .columns(["account_id", ...columns])
    .expression((eb) =>
      eb
        .selectFrom("accounts as a")
        .select((account) => [
          "a.id",
          account
            .selectFrom("calibrations as c")
            .select(sql<number>`coalesce(max(c.version), 0) + 1`.as("next"))
            .whereRef("c.account_id", "=", "a.id")
            .as("version"),
          sql<string>`cast(${row.model_version} as text)`.as("model_version"),
          sql<number>`cast(${row.shift} as double precision)`.as("shift"),
          sql<number>`cast(${row.slope} as double precision)`.as("slope"),
          sql<number>`cast(${row.good} as bigint)`.as("good"),
          sql<number>`cast(${row.bad} as bigint)`.as("bad"),
          sql<number>`cast(${row.error_before} as double precision)`.as("error_before"),
          sql<number>`cast(${row.error_after} as double precision)`.as("error_after"),
          sql<number>`cast(${row.outcomes_to} as bigint)`.as("outcomes_to"),
          sql<CalibrationRow["fitted_by"]>`cast(${row.fitted_by} as text)`.as("fitted_by"),
          sql<number>`cast(${row.fitted_at} as bigint)`.as("fitted_at"),
        ])
        .where("a.id", "=", accountId)
        .$if(on !== "any", (query) => query.where("a.calibration_version", "=", on as number)),
    );
}

/** Switches to the newest of the account's calibrations. */
export function switchToNewest(db: Db, { accountId, on }: Precondition) {
  return db
    .updateTable("accounts")
    .set((eb) => ({
      calibration_version: eb
        .selectFrom("calibrations as c")
        .select((each) => each.fn.max("c.version").as("newest"))
        .where("c.account_id", "=", accountId),
    }))
    .where("id", "=", accountId)
    .$if(on !== "any", (query) => query.where("calibration_version", "=", on as number));
}

/** Changes no row if none is switched on. */
export function switchOff(db: Db, accountId: string) {
  return db.updateTable("accounts").set({ calibration_version: null }).where("id", "=", accountId).where("calibration_version", "is not", null);
}

/** Active accounts with a calibration of their own, with what decides which model scores their sessions. */
export function selectCalibratedAccounts(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("accounts as a")
    .innerJoin("calibrations as c", (join) => join.onRef("c.account_id", "=", "a.id").onRef("c.version", "=", "a.calibration_version"))
    .select(["a.id", "a.created_at", "a.model_version as pinned_model", "c.version", "c.model_version", "c.outcomes_to"])
    .where("a.id", ">", page.afterId)
    .where("a.status", "=", "active")
    .orderBy("a.id")
    .limit(page.limit);
}
