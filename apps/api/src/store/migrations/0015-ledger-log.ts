import { type Dialect, sqlWordsOf } from "./migration.ts";

const logTables = ["logs", "log_tiles", "log_runs", "log_checkpoints", "log_cosignatures"] as const;

/** The columns of a row that must not exist yet: REPLACE deletes the old row without firing the trigger on DELETE. */
const keys: Record<(typeof logTables)[number], readonly string[]> = {
  logs: ["number"],
  log_tiles: ["log", "level", "n"],
  log_runs: ["log", "first_index"],
  log_checkpoints: ["log", "size"],
  log_cosignatures: ["log", "size", "witness"],
};

function guardOnSqlite(table: (typeof logTables)[number]): string[] {
  const refuse = `BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;
  const isSame = keys[table].map((column) => `${column} = NEW.${column}`).join(" AND ");
  return [
    ...["UPDATE", "DELETE"].map((verb) => `CREATE TRIGGER ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table} ${refuse}`),
    `CREATE TRIGGER ${table}_no_replace BEFORE INSERT ON ${table} WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${isSame}) ${refuse}`,
  ];
}

const guardOnPostgres = (): string[] => [
  `CREATE FUNCTION assay_refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$`,
  ...logTables.flatMap((table) => [
    `CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION assay_refuse_log_change()`,
    `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION assay_refuse_log_change()`,
  ]),
  // Hashes do not compress, so no time is spent on trying.
  `ALTER TABLE log_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL`,
];

/** The Merkle log over all chains. Its tables are only ever appended to, and each has the key that a second continuation would violate. */
export function ledgerLog(dialect: Dialect): string[] {
  const { id, whole, blob, clustered, end } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE logs (
      number ${whole} NOT NULL PRIMARY KEY CHECK (number > 0),
      origin ${id} NOT NULL UNIQUE,
      opened_at ${whole} NOT NULL,
      reason TEXT NOT NULL
    ) ${end}`,
    // The root comes before the blob, so that SQLite reads it without the pages that the blob overflows to.
    `CREATE TABLE log_tiles (
      log ${whole} NOT NULL REFERENCES logs (number),
      level ${whole} NOT NULL,
      n ${whole} NOT NULL,
      root ${blob} NOT NULL,
      hashes ${blob} NOT NULL,
      PRIMARY KEY (log, level, n)
    ) ${end}`,
    `CREATE TABLE log_runs (
      log ${whole} NOT NULL REFERENCES logs (number),
      first_index ${whole} NOT NULL,
      account_id ${id} NOT NULL,
      first_seq ${whole} NOT NULL,
      count ${whole} NOT NULL CHECK (count > 0),
      PRIMARY KEY (log, first_index)
    ) ${clustered}`,
    `CREATE UNIQUE INDEX log_runs_account ON log_runs (log, account_id, first_seq)`,
    `CREATE TABLE log_checkpoints (
      log ${whole} NOT NULL REFERENCES logs (number),
      size ${whole} NOT NULL CHECK (size > 0),
      root ${blob} NOT NULL,
      note TEXT NOT NULL,
      at ${whole} NOT NULL,
      PRIMARY KEY (log, size)
    ) ${clustered}`,
    `CREATE TABLE log_cosignatures (
      log ${whole} NOT NULL,
      size ${whole} NOT NULL,
      witness ${id} NOT NULL,
      line TEXT NOT NULL,
      at ${whole} NOT NULL,
      PRIMARY KEY (log, size, witness),
      FOREIGN KEY (log, size) REFERENCES log_checkpoints (log, size)
    ) ${clustered}`,
    ...(dialect === "sqlite" ? logTables.flatMap(guardOnSqlite) : guardOnPostgres()),
  ];
}
