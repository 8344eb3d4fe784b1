import type { Compilable } from "kysely";
import type { Pool, QueryConfig, QueryResultRow } from "pg";
import type { Dialect } from "./migrations/migration.ts";
import type { PrimaryReading } from "./primary/find-primary.ts";
import type { Db } from "./schema.ts";

/** An open SQL transaction. Its statements run in order, and nothing else may be awaited. */
export type Transaction = {
  dialect: Dialect;
  /** Builds queries for this database and is not connected: execute them with `run` or `change`. */
  db: Db;
  run<Row>(query: Compilable<Row>): Promise<Row[]>;
  /** Returns the number of changed rows. */
  change(query: Compilable): Promise<number>;
};

/** Reads, inside a transaction or outside of one. */
export type Reader = Pick<Transaction, "db" | "run">;

/** Reads what is committed, each query by itself. */
export const readerOf = ({ db }: Store): Reader => ({ db, run: async (query) => (await db.executeQuery(query)).rows });

/** Reads, decides and writes in one transaction. Its own module exports it as `work`: on SQLite it runs on the writer's thread. */
export type TransactionWork<Payload, Result> = (tx: Transaction, payload: Payload) => Promise<Result>;

/** Statements that are complete before the first of them runs. */
export type ClosedWrite = readonly Compilable[];

/** `guards`: how many of the first statements are guards. */
export type WriteOptions = { guards: number };

type StoreOfBoth = {
  /** Single statements. Reads never wait behind the writer; a transaction across awaits is refused. */
  db: Db;
  /**
   * Runs the statements in one transaction; returns the number of rows that each changed. If a guard changes no row, what
   * follows it does not run.
   */
  write(statements: ClosedWrite, options?: WriteOptions): Promise<number[]>;
  /**
   * Runs the module's `work` in one transaction. Resolves when it is durable. Throws if nothing was done, or throws
   * CommitUnknown. Payload and result may be passed to another thread: plain objects only.
   */
  transact<Payload, Result>(module: URL, payload: Payload): Promise<Result>;
  /** Resolves if the store answers and, as far as is known, accepts writes. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

export type SqliteStore = StoreOfBoth & {
  dialect: "sqlite";
  /** Runs a procedure module (see sqlite-worker.ts) in one transaction on the writer's thread. */
  runProcedure<Payload, Result>(module: URL, payload: Payload): Promise<Result>;
  /** Leaves nothing of earlier contents in the write-ahead log. False if somebody reads from it at the moment: try again later. */
  emptyLog(): Promise<boolean>;
};

export type LineClient = { query<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row[]> };

/**
 * One connection on which a statement is sent while the one before it is still being committed. The server runs them in
 * order, so they never wait for each other's locks. Each is its own transaction: one that fails leaves the others alone.
 */
export type CommitLine = {
  /** The open connection, or a new one. Throws if there is none: then nothing was sent. */
  connect(): Promise<LineClient>;
  end(): Promise<void>;
};

export type PostgresStore = StoreOfBoth & {
  dialect: "postgres";
  pool: Pool;
  /** Only for writes of calls: see open-postgres.ts. */
  commitPool: Pool;
  /** Only for charges. */
  chargeLine: CommitLine;
  /** What the primary last said of itself; undefined before the first connection. */
  lastReading(): PrimaryReading | undefined;
  /** How many hosts the database's address lists. */
  hosts: number;
};

export type Store = SqliteStore | PostgresStore;
