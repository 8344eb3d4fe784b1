import { type Dialect, sqlWordsOf } from "./migration.ts";

const refusal = "calibrations is append-only";

function guard(dialect: Dialect): string[] {
  if (dialect === "sqlite") {
    const refuse = `BEGIN SELECT RAISE(ABORT, '${refusal}'); END`;
    return [
      `CREATE TRIGGER calibrations_no_update BEFORE UPDATE ON calibrations ${refuse}`,
      `CREATE TRIGGER calibrations_no_delete BEFORE DELETE ON calibrations ${refuse}`,
      // REPLACE deletes the old row without firing the trigger on DELETE.
      `CREATE TRIGGER calibrations_no_replace BEFORE INSERT ON calibrations WHEN EXISTS (SELECT 1 FROM calibrations c
        WHERE c.account_id = NEW.account_id AND c.version = NEW.version) ${refuse}`,
    ];
  }
  return [
    `CREATE FUNCTION assay_refuse_calibration_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '${refusal}'; END $$`,
    `CREATE TRIGGER calibrations_append_only BEFORE UPDATE OR DELETE ON calibrations FOR EACH ROW EXECUTE FUNCTION assay_refuse_calibration_change()`,
    `CREATE TRIGGER calibrations_no_truncate BEFORE TRUNCATE ON calibrations FOR EACH STATEMENT EXECUTE FUNCTION assay_refuse_calibration_change()`,
  ];
}

/** Accounts' own calibrations. A record names the version that its score is on, so none is ever changed. */
export function calibrations(dialect: Dialect): string[] {
  const { id, whole, real, clustered } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE calibrations (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      version ${whole} NOT NULL CHECK (version > 0),
      model_version TEXT NOT NULL,
      shift ${real} NOT NULL,
      slope ${real} NOT NULL CHECK (slope > 0),
      good ${whole} NOT NULL,
      bad ${whole} NOT NULL,
      error_before ${real} NOT NULL,
      error_after ${real} NOT NULL,
      outcomes_to ${whole} NOT NULL,
      fitted_by TEXT NOT NULL CHECK (fitted_by IN ('developer', 'job')),
      fitted_at ${whole} NOT NULL,
      PRIMARY KEY (account_id, version)
    ) ${clustered}`,
    ...guard(dialect),
    `ALTER TABLE accounts ADD COLUMN calibration_version ${whole}`,
  ];
}
