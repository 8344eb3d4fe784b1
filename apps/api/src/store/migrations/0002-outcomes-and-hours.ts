import { type Dialect, sqlWordsOf } from "./migration.ts";

/** Outcomes and hourly rollups of sessions. */
function createTables(dialect: Dialect): string[] {
  const { id, whole, real, clustered } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE session_outcomes (
      account_id ${id} NOT NULL,
      session_id ${id} NOT NULL,
      seq ${whole} NOT NULL CHECK (seq > 0),
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      outcome TEXT NOT NULL CHECK (outcome IN ('converted', 'genuine', 'refunded', 'fraud', 'bot')),
      service_score ${real} NOT NULL,
      at ${whole} NOT NULL,
      PRIMARY KEY (account_id, session_id, seq)
    ) ${clustered}`,
    `CREATE INDEX session_outcomes_latest ON session_outcomes (account_id, mode, at, session_id, seq)`,
    `CREATE TABLE session_hours (
      account_id ${id} NOT NULL,
      hour ${whole} NOT NULL,
      summary TEXT NOT NULL,
      PRIMARY KEY (account_id, hour)
    ) ${clustered}`,
  ];
}

const refusal = "session_outcomes is append-only";
const recordOfOld = "SELECT 1 FROM session_records r WHERE r.account_id = OLD.account_id AND r.id = OLD.session_id";

/** Outcomes are append-only; they can be deleted once their session's record is deleted. */
function guardOutcomes(dialect: Dialect): string[] {
  if (dialect === "sqlite") {
    const refuse = `BEGIN SELECT RAISE(ABORT, '${refusal}'); END`;
    return [
      `CREATE TRIGGER session_outcomes_no_update BEFORE UPDATE ON session_outcomes ${refuse}`,
      `CREATE TRIGGER session_outcomes_no_delete BEFORE DELETE ON session_outcomes WHEN EXISTS (${recordOfOld}) ${refuse}`,
      // REPLACE deletes the old row without firing the trigger on DELETE.
      `CREATE TRIGGER session_outcomes_no_replace BEFORE INSERT ON session_outcomes WHEN EXISTS (SELECT 1 FROM session_outcomes o
        WHERE o.account_id = NEW.account_id AND o.session_id = NEW.session_id AND o.seq = NEW.seq) ${refuse}`,
    ];
  }
  return [
    `CREATE FUNCTION assay_guard_outcomes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND NOT EXISTS (${recordOfOld}) THEN RETURN OLD; END IF;
        RAISE EXCEPTION '${refusal}';
      END $$`,
    `CREATE TRIGGER session_outcomes_append_only BEFORE UPDATE OR DELETE ON session_outcomes
      FOR EACH ROW EXECUTE FUNCTION assay_guard_outcomes()`,
    `CREATE TRIGGER session_outcomes_no_truncate BEFORE TRUNCATE ON session_outcomes
      FOR EACH STATEMENT EXECUTE FUNCTION assay_guard_outcomes()`,
  ];
}

export const outcomesAndHours = (dialect: Dialect): string[] => [...createTables(dialect), ...guardOutcomes(dialect)];
