import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely, type QueryResult } from "kysely";
import { sqliteDialect } from "./compile-only.ts";
import type { Schema } from "./schema.ts";
import { SqliteError, type SqliteThread, startSqliteThread } from "./sqlite-thread.ts";
import { CommitUnknown } from "./store-failure.ts";
import { type ClosedWrite, type SqliteStore, type WriteOptions } from "./store.ts";
import { type OnWriteTrouble, watchWrites } from "./watch-writes.ts";

/** How long a write waits for another process (the CLI beside the server) to finish its own. */
const busyTimeoutMs = 10_000;
const writerCacheKiB = 8_192;
const readerCacheKiB = 2_048;

/** Reads go to the reader's thread, so that no report waits behind a commit; all else goes to the writer's. */
function createConnection(threads: { writer: SqliteThread; reader: SqliteThread }): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const thread = query.query.kind === "SelectQueryNode" ? threads.reader : threads.writer;
      const { sql, parameters } = query;
      const { rows, changes } = await thread.ask<{ rows: Row[]; changes: number }>({ type: "query", sql, parameters });
      return { rows, numAffectedRows: BigInt(changes) };
    },
    // oxlint-disable-next-line require-yield -- the interface requires a generator; nothing here streams
    async *streamQuery() {
      throw new Error("streaming is not supported: read in pages");
    },
  };
}

function createDriver(threads: { writer: SqliteThread; reader: SqliteThread }): Driver {
  const connection = createConnection(threads);
  const refuse = () => Promise.reject(new Error("transactions across awaits are not supported: use store.write"));
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

/** If the writer's thread dies or the disk fails during COMMIT, the outcome cannot be found out. */
function throwSqliteError(error: unknown): never {
  throw error instanceof SqliteError ? error : new CommitUnknown(error);
}

/** Opens a migrated database file. `onWriteTrouble` is called when the disk is full or fails, and when it recovers. */
export function openSqlite(path: string, onWriteTrouble: OnWriteTrouble = () => {}): SqliteStore {
  const threads = {
    writer: watchWrites(startSqliteThread({ path, readOnly: false, busyTimeoutMs, cacheKiB: writerCacheKiB }), onWriteTrouble),
    reader: startSqliteThread({ path, readOnly: true, busyTimeoutMs, cacheKiB: readerCacheKiB }),
  };
  const db = new Kysely<Schema>({ dialect: sqliteDialect(() => createDriver(threads)) });
  return {
    dialect: "sqlite",
    db,
    write(closed: ClosedWrite, { guards }: WriteOptions = { guards: 0 }) {
      const compiled = closed.map((each) => each.compile());
      const statements = compiled.map(({ sql, parameters }) => ({ sql, parameters }));
      return threads.writer.ask<number[]>({ type: "write", statements, guards });
    },
    runProcedure: <Payload, Result>(module: URL, payload: Payload) =>
      threads.writer.ask<Result>({ type: "procedure", module: module.href, payload }).catch(throwSqliteError),
    transact: <Payload, Result>(module: URL, payload: Payload) =>
      threads.writer.ask<Result>({ type: "work", module: module.href, payload }).catch(throwSqliteError),
    emptyLog: () => threads.writer.ask<boolean>({ type: "empty_log" }),
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
