import type { Compilable, Kysely } from "kysely";
import type { Pool } from "pg";
import type { Dialect } from "./migrations/migration.ts";
import type { Schema } from "./schema.ts";

/** One transaction from the inside: its statements run in order, and nothing else may be waited for. */
export type Transaction = {
  dialect: Dialect;
  /** Makes SQL for this database and is connected to nothing: run what it makes with `run`. */
  db: Kysely<Schema>;
  run<Row>(query: Compilable<Row>): Promise<Row[]>;
  /** Tells how many rows changed. */
  change(query: Compilable): Promise<number>;
};

/**
 * Work that reads, decides and writes in one transaction, the same code on both databases. A module of its
 * own exports it as `work`: on SQLite it runs on the writer's thread.
 */
export type TransactionWork<Payload, Result> = (tx: Transaction, payload: Payload) => Promise<Result>;

/** A closed write: statements that were complete before the first of them ran. */
export type ClosedWrite = readonly Compilable[];

type StoreOfBoth = {
  /** Single statements. Reads never wait behind the writer; a transaction across awaits is refused. */
  db: Kysely<Schema>;
  /** Runs the statements in one transaction and tells how many rows each one changed. */
  write(statements: ClosedWrite): Promise<number[]>;
  /**
   * Runs the module's `work` in one transaction. Resolves when it is durable, throws when nothing was done, or
   * CommitUnknown. Payload and result cross a thread: plain objects only.
   */
  transact<Payload, Result>(module: URL, payload: Payload): Promise<Result>;
  /** Resolves when the store answers and, as far as is known, takes writes. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

export type SqliteStore = StoreOfBoth & {
  dialect: "sqlite";
  /** Runs a procedure module (see sqlite-worker.ts) in one transaction on the writer's thread. */
  runProcedure<Payload, Result>(module: URL, payload: Payload): Promise<Result>;
};

export type PostgresStore = StoreOfBoth & {
  dialect: "postgres";
  pool: Pool;
  /** For what calls write, and nothing else: see open-postgres.ts. */
  commitPool: Pool;
};

export type Store = SqliteStore | PostgresStore;
