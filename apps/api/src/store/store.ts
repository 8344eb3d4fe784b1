import type { Compilable, Kysely } from "kysely";
import type { Pool } from "pg";
import type { Schema } from "./schema.ts";

/** A closed write: statements that were complete before the first of them ran. */
export type ClosedWrite = readonly Compilable[];

type StoreOfBoth = {
  /** Single statements. Reads never wait behind the writer; a transaction across awaits is refused. */
  db: Kysely<Schema>;
  /** Runs the statements in one transaction and tells how many rows each one changed. */
  write(statements: ClosedWrite): Promise<number[]>;
  /** Resolves when the store answers. */
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
};

export type Store = SqliteStore | PostgresStore;
export type Dialect = Store["dialect"];
