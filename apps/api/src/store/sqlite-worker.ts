/**
 * The thread that owns one SQLite connection. It takes closed work only: a list of complete statements, the
 * name of a procedure module with its payload, or that of a module of transaction work (see store.ts); each
 * is one transaction, begun and ended here. Nothing can hold a transaction open across a message, so no
 * caller can stall the writer.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { toInputs } from "./sqlite-input.ts";
import type { Transaction, TransactionWork } from "./store.ts";

export type SqliteProcedure<Payload, Result> = (database: DatabaseSync) => (payload: Payload) => Result;

export type WorkerRequest =
  | { id: number; type: "query"; sql: string; parameters: SQLInputValue[] }
  | { id: number; type: "write"; statements: { sql: string; parameters: SQLInputValue[] }[] }
  | { id: number; type: "procedure"; module: string; payload: unknown }
  | { id: number; type: "work"; module: string; payload: unknown }
  | { id: number; type: "close" };

export type WorkerReply =
  | { id: number; ok: true; result: unknown }
  | { id: number; ok: false; message: string; code: string | undefined };

export type WorkerSettings = { path: string; readOnly: boolean; busyTimeoutMs: number; cacheKiB: number };

const statementsMax = 500;

const settings = workerData as WorkerSettings;
const port = parentPort!;
const database = new DatabaseSync(settings.path, {
  readOnly: settings.readOnly,
  enableForeignKeyConstraints: true,
  timeout: settings.busyTimeoutMs,
});
if (!settings.readOnly) {
  database.exec("PRAGMA synchronous = FULL");
  // What is deleted is overwritten: a person who was erased must not be found in the file's free space.
  database.exec("PRAGMA secure_delete = ON");
  // Fewer, larger checkpoints: a page that many batches touch is copied to the database once.
  database.exec("PRAGMA wal_autocheckpoint = 4000");
}
database.exec(`PRAGMA cache_size = -${settings.cacheKiB}`);

const prepared = new Map<string, StatementSync>();
const procedures = new Map<string, (payload: unknown) => unknown>();

function prepare(sql: string): StatementSync {
  const known = prepared.get(sql);
  if (known) return known;
  if (prepared.size >= statementsMax) prepared.clear();
  const statement = database.prepare(sql);
  prepared.set(sql, statement);
  return statement;
}

function inTransaction<Result>(work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function runQuery(sql: string, parameters: SQLInputValue[]) {
  const statement = prepare(sql);
  if (statement.columns().length > 0) return { rows: statement.all(...parameters), changes: 0 };
  return { rows: [], changes: Number(statement.run(...parameters).changes) };
}

async function loadProcedure(module: string): Promise<(payload: unknown) => unknown> {
  const known = procedures.get(module);
  if (known) return known;
  const loaded = (await import(module)) as { procedure: SqliteProcedure<unknown, unknown> };
  const procedure = loaded.procedure(database);
  procedures.set(module, procedure);
  return procedure;
}

/**
 * Opens and ends a transaction around work that only ever waits for the statements it runs here, which are
 * done at once: so it is over before the thread takes its next message. Work that waits for anything else
 * is undone.
 */
async function runWork(module: string, payload: unknown): Promise<unknown> {
  const [{ work }, { compileOnly }] = await Promise.all([
    import(module) as Promise<{ work: TransactionWork<unknown, unknown> }>,
    import("./compile-only.ts"),
  ]);
  const tx: Transaction = {
    dialect: "sqlite",
    db: compileOnly.sqlite,
    run<Row>(query: Parameters<Transaction["run"]>[0]) {
      const { sql, parameters } = query.compile();
      return Promise.resolve(runQuery(sql, toInputs(parameters)).rows as Row[]);
    },
    change(query) {
      const { sql, parameters } = query.compile();
      return Promise.resolve(runQuery(sql, toInputs(parameters)).changes);
    },
  };
  database.exec("BEGIN IMMEDIATE");
  let isOver = false;
  const outOfTurn = new Promise<never>((_resolve, reject) => {
    setImmediate(() => {
      if (!isOver) reject(new Error("the work of a transaction waited for something outside it"));
    });
  });
  try {
    const result = await Promise.race([work(tx, payload), outOfTurn]);
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  } finally {
    isOver = true;
    outOfTurn.catch(() => {});
  }
}

async function handle(request: WorkerRequest): Promise<unknown> {
  switch (request.type) {
    case "query":
      return runQuery(request.sql, request.parameters);
    case "write":
      return inTransaction(() => request.statements.map((each) => runQuery(each.sql, each.parameters).changes));
    case "procedure": {
      const procedure = procedures.get(request.module) ?? (await loadProcedure(request.module));
      return inTransaction(() => procedure(request.payload));
    }
    case "work":
      return runWork(request.module, request.payload);
    case "close":
      database.close();
      return undefined;
  }
}

/** Requests that arrive while a work is under way: the connection is not theirs yet. */
const waiting: WorkerRequest[] = [];
let isWorking = false;

function take(request: WorkerRequest): void {
  if (isWorking) {
    waiting.push(request);
    return;
  }
  isWorking = request.type === "work";
  handle(request)
    .then(
      (result) => {
        port.postMessage({ id: request.id, ok: true, result } satisfies WorkerReply);
        if (request.type === "close") port.close();
      },
      (error: Error & { code?: string }) => {
        const reply: WorkerReply = { id: request.id, ok: false, message: error.message, code: error.code };
        port.postMessage(reply);
      },
    )
    .finally(() => {
      if (request.type !== "work") return;
      isWorking = false;
      for (const each of waiting.splice(0)) take(each);
    });
}

port.on("message", take);
