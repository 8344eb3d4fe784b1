import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Schema } from "./schema.ts";
import { toInputs } from "./sqlite-input.ts";
import { CommitUnknown } from "./commit-unknown.ts";
import { SqliteError, type SqliteThread, startSqliteThread } from "./sqlite-thread.ts";
import type { ClosedWrite, SqliteStore } from "./store.ts";
import { type OnWriteTrouble, watchWrites } from "./watch-writes.ts";

/** How long a write waits for another process (the CLI beside the server) to finish its own. */
const busyTimeoutMs = 10_000;
const writerCacheKiB = 8_192;
const readerCacheKiB = 2_048;

/** Reads go to the reading thread, so that no report waits behind a commit; all else to the writer. */
function createConnection(threads: { writer: SqliteThread; reader: SqliteThread }): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const thread = query.query.kind === "SelectQueryNode" ? threads.reader : threads.writer;
      const { rows, changes } = await thread.ask<{ rows: Row[]; changes: number }>({
        type: "query",
        sql: query.sql,
        parameters: toInputs(query.parameters),
      });
      return { rows, numAffectedRows: BigInt(changes) };
    },
    // oxlint-disable-next-line require-yield -- the interface asks for a generator; nothing here streams
    async *streamQuery() {
      throw new Error("streaming is not supported: read in pages");
    },
  };
}

function createDriver(threads: { writer: SqliteThread; reader: SqliteThread }): Driver {
  const connection = createConnection(threads);
  const refuse = () => Promise.reject(new Error("no transaction is held across awaits: use store.write"));
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  };
}

/** When the writer's thread dies, or the disk fails during COMMIT, whether the work is durable can no longer be found out. */
function throwSqliteError(error: unknown): never {
  throw error instanceof SqliteError ? error : new CommitUnknown(error);
}

/** Opens a migrated database file. `onWriteTrouble` hears of a disk that is full or fails, and of its recovery. */
export function openSqlite(path: string, onWriteTrouble: OnWriteTrouble = () => {}): SqliteStore {
  const threads = {
    writer: watchWrites(startSqliteThread({ path, readOnly: false, busyTimeoutMs, cacheKiB: writerCacheKiB }), onWriteTrouble),
    reader: startSqliteThread({ path, readOnly: true, busyTimeoutMs, cacheKiB: readerCacheKiB }),
  };
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(threads),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return {
    dialect: "sqlite",
    db,
    write(statements: ClosedWrite) {
      const compiled = statements.map((each) => each.compile());
      return threads.writer.ask<number[]>({
        type: "write",
        statements: compiled.map(({ sql, parameters }) => ({ sql, parameters: toInputs(parameters) })),
      });
    },
    runProcedure: <Payload, Result>(module: URL, payload: Payload) =>
      threads.writer.ask<Result>({ type: "procedure", module: module.href, payload }).catch(throwSqliteError),
    transact: <Payload, Result>(module: URL, payload: Payload) =>
      threads.writer.ask<Result>({ type: "work", module: module.href, payload }).catch(throwSqliteError),
    async ping() {
      await threads.reader.ask({ type: "query", sql: "SELECT 1", parameters: [] });
      await threads.writer.assertWritable();
    },
    async close() {
      await db.destroy();
      await threads.reader.close();
      await threads.writer.close();
    },
  };
}
