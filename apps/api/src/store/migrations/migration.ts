import type { DatabaseSync } from "node:sqlite";

export type Dialect = "sqlite" | "postgres";

/** An index on a table that may be large: see change-tables.ts. */
export type IndexPlan = {
  name: string;
  table: string;
  /** SQL: names, optionally with their order. */
  columns: string;
  /** SQL; all rows if absent. */
  where?: string;
};

export type Migration = {
  name: string;
  /**
   * Nodes are replaced one by one, so the previous version's code runs on the new tables for a while and may be started
   * on them again. "expand" leaves everything that it uses in place. "contract" removes something, and is released only
   * after a version that no longer uses it: older code refuses to start once it was applied.
   */
  kind: "expand" | "contract";
  /** Of a contract: the release, as CHANGELOG.md names it, whose code no longer uses what this removes. expand-first.test.ts requires it. */
  unusedSince?: string;
  /** Its effect on a database in use with 100 million rows: what it reads, what it locks, for how long. */
  onLargeTables: string;
  /** Applied in one transaction. */
  statements: (dialect: Dialect) => string[];
  /** Built after the statements; on PostgreSQL while calls go on writing. */
  indexes?: readonly IndexPlan[];
  /**
   * For the embedded store, where a migration may copy a table: runs before and after the statements, in their
   * transaction. Throws if the store must not be migrated; the two results must be equal.
   */
  verifySqlite?: (database: DatabaseSync) => string;
};

/**
 * The SQL words that differ: SQLite tables are STRICT, and clustered by key if rows arrive in its order. Released
 * migrations are made of these words, so they never change.
 */
export const sqlWordsOf = (dialect: Dialect) =>
  dialect === "sqlite"
    ? { id: "TEXT", whole: "INTEGER", real: "REAL", blob: "BLOB", end: "STRICT", clustered: "STRICT, WITHOUT ROWID" }
    : { id: 'TEXT COLLATE "C"', whole: "BIGINT", real: "DOUBLE PRECISION", blob: "BYTEA", end: "", clustered: "" };
