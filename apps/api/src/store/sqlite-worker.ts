/**
 * The thread that owns one SQLite connection. It takes closed work only: a list of complete statements, the
 * name of a procedure module with its payload, or that of a module of transaction work (see store.ts); each
 * is one transaction, begun and ended here. Nothing can hold a transaction open across a message, so no
 * caller can stall the writer.
 */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { toInputs } from "./sqlite-input.ts";
import { errcodeOf, fullErrcode, isCertainlyUndone } from "./sqlite-trouble.ts";
import type { Transaction, TransactionWork } from "./store.ts";

export type SqliteProcedure<Payload, Result> = (database: DatabaseSync) => (payload: Payload) => Result;

export type WorkerRequest =
  | { id: number; type: "query"; sql: string; parameters: SQLInputValue[] }
  | { id: number; type: "write"; statements: { sql: string; parameters: SQLInputValue[] }[] }
  | { id: number; type: "procedure"; module: string; payload: unknown }
  | { id: number; type: "work"; module: string; payload: unknown }
  /** Answers whether there is room again, and that a write goes through. */
  | { id: number; type: "probe" }
  | { id: number; type: "close" };

export type WorkerReply =
  | { id: number; ok: true; result: unknown }
  | { id: number; ok: false; message: string; errcode: number | undefined; outcome: "undone" | "unknown" };

export type WorkerSettings = { path: string; readOnly: boolean; busyTimeoutMs: number; cacheKiB: number };

const statementsMax = 500;
/** More than the largest batch writes: with less, the next one could find the disk full again. */
const roomBytesMin = 4 * 1024 * 1024;

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

/** A COMMIT that failed in a way that does not tell whether it took effect. */
class OutcomeUnknown extends Error {}

function commit(): void {
  try {
    database.exec("COMMIT");
  } catch (error) {
    throw isCertainlyUndone(errcodeOf(error)) ? error : new OutcomeUnknown((error as Error).message, { cause: error });
  }
}

/** A full disk may have undone the transaction already; a disk that fails may refuse this, too, and the first error tells more. */
function undo(): void {
  try {
    if (database.isTransaction) database.exec("ROLLBACK");
  } catch {
    // What is left of it is undone with the connection, or by the next BEGIN that fails and is tried again.
  }
}

function inTransaction<Result>(work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    commit();
    return result;
  } catch (error) {
    undo();
    throw error;
  }
}

const pragmaNumber = (name: "page_count" | "max_page_count" | "page_size"): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0]);

/** Room on the disk and in the file, and a write that is made durable. A small write alone may fit where a batch does not. */
function probe(): void {
  const pagesMin = roomBytesMin / pragmaNumber("page_size");
  const { bavail, bsize } = statfsSync(dirname(settings.path));
  if (bavail * bsize < roomBytesMin || pragmaNumber("page_count") + pagesMin > pragmaNumber("max_page_count")) {
    throw Object.assign(new Error("there is no room yet"), { errcode: fullErrcode });
  }
  inTransaction(() => database.exec("UPDATE migrations SET at = at"));
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
    commit();
    return result;
  } catch (error) {
    undo();
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
    case "probe":
      return probe();
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
      (error: Error) => {
        const isUnknown = error instanceof OutcomeUnknown;
        const errcode = errcodeOf(isUnknown ? error.cause : error);
        const reply: WorkerReply = { id: request.id, ok: false, message: error.message, errcode, outcome: isUnknown ? "unknown" : "undone" };
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
