/**
 * The thread that owns one SQLite connection. It accepts closed work only: a list of complete statements, the name of a
 * procedure module with its payload, or that of a module of transaction work (see store.ts). Each is one transaction,
 * begun and ended here. No transaction stays open across messages, so no caller can stall the writer.
 */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { chainInsertsOnSqlite } from "./audit-chain.ts";
import { keepNoteLast } from "./keep-note-last.ts";
import { errcodeOf, fullErrcode, isCertainlyRolledBack } from "./sqlite-trouble.ts";
import type { Transaction, TransactionWork } from "./store.ts";

export type SqliteProcedure<Payload, Result> = (database: DatabaseSync) => (payload: Payload) => Result;

type Statement = { sql: string; parameters: readonly unknown[] };

export type WorkerRequest =
  | ({ id: number; type: "query" } & Statement)
  | { id: number; type: "write"; statements: readonly Statement[]; guards: number }
  | { id: number; type: "procedure"; module: string; payload: unknown }
  | { id: number; type: "work"; module: string; payload: unknown }
  /** Checks that the disk has room and accepts a write. */
  | { id: number; type: "probe" }
  /** Moves the write-ahead log into the file and empties it. */
  | { id: number; type: "empty_log" }
  | { id: number; type: "close" };

export type WorkerReply =
  | { id: number; ok: true; result: unknown }
  | { id: number; ok: false; message: string; errcode: number | undefined; outcome: "undone" | "unknown" };

export type WorkerSettings = { path: string; readOnly: boolean; busyTimeoutMs: number; cacheKiB: number };

const statementsMax = 500;
/** More than the largest batch needs; with less, the next batch could fill the disk again. */
const roomBytesMin = 4 * 1024 * 1024;

const settings = workerData as WorkerSettings;
const port = parentPort!;
const database = new DatabaseSync(settings.path, {
  readOnly: settings.readOnly,
  enableForeignKeyConstraints: true,
  timeout: settings.busyTimeoutMs,
});
if (!settings.readOnly) {
  // With WAL and FULL every commit is synced. The file remembers its journal mode, and a tool may have changed it.
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  // Overwrites deleted content: erased personal data must not remain in the file's free pages.
  database.exec("PRAGMA secure_delete = ON");
  // Fewer, larger checkpoints: a page that many batches change is copied to the database once.
  database.exec("PRAGMA wal_autocheckpoint = 4000");
  chainInsertsOnSqlite(database);
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

/** A failed COMMIT that may have taken effect. */
class OutcomeUnknown extends Error {}

function commit(): void {
  try {
    database.exec("COMMIT");
  } catch (error) {
    throw isCertainlyRolledBack(errcodeOf(error)) ? error : new OutcomeUnknown((error as Error).message, { cause: error });
  }
}

/** On a full disk SQLite may have rolled back already. A failing disk may refuse this too; the first error matters more. */
function rollBack(): void {
  try {
    if (database.isTransaction) database.exec("ROLLBACK");
  } catch {
    // The rest is rolled back with the connection, or by the next BEGIN that fails and is retried.
  }
}

function inTransaction<Result>(work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    commit();
    return result;
  } catch (error) {
    rollBack();
    throw error;
  }
}

const pragmaNumber = (name: "page_count" | "max_page_count" | "page_size"): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0]);

/** Checks for room on the disk and in the file, and commits a write. A small write alone may fit where a batch does not. */
function probe(): void {
  const pagesMin = roomBytesMin / pragmaNumber("page_size");
  const { bavail, bsize } = statfsSync(dirname(settings.path));
  if (bavail * bsize < roomBytesMin || pragmaNumber("page_count") + pagesMin > pragmaNumber("max_page_count")) {
    throw Object.assign(new Error("the disk has no room yet"), { errcode: fullErrcode });
  }
  inTransaction(() => database.exec("UPDATE migrations SET at = at"));
}

/**
 * The write-ahead log keeps what pages contained before something was deleted, until its space is used again, which may
 * be weeks. False while somebody reads from it: nobody is made to wait.
 */
function emptyLog(): boolean {
  database.exec("PRAGMA busy_timeout = 0");
  try {
    return Number(database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()!["busy"]) === 0;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${settings.busyTimeoutMs}`);
  }
}

/** SQLite has no booleans and no undefined. */
const toInput = (value: unknown): SQLInputValue => (typeof value === "boolean" ? Number(value) : ((value ?? null) as SQLInputValue));

function runQuery({ sql, parameters }: Statement) {
  const statement = prepare(sql);
  const inputs = parameters.map(toInput);
  if (statement.columns().length > 0) return { rows: statement.all(...inputs), changes: 0 };
  return { rows: [], changes: Number(statement.run(...inputs).changes) };
}

function runAll(statements: readonly Statement[], guards: number): number[] {
  const checkOrder = keepNoteLast();
  const changes: number[] = [];
  for (const each of statements) {
    checkOrder(each.sql);
    changes.push(runQuery(each).changes);
    if (changes.length <= guards && changes.at(-1) === 0) break;
  }
  return changes;
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
 * Runs work in a transaction. The work may only await its own statements, which complete synchronously, so it ends before
 * the thread takes its next message. Work that awaits anything else is rolled back.
 */
async function runWork(module: string, payload: unknown): Promise<unknown> {
  const [{ work }, { compileOnly }] = await Promise.all([
    import(module) as Promise<{ work: TransactionWork<unknown, unknown> }>,
    import("./compile-only.ts"),
  ]);
  const checkOrder = keepNoteLast();
  const runNext = (query: Parameters<Transaction["run"]>[0]) => {
    const statement = query.compile();
    checkOrder(statement.sql);
    return runQuery(statement);
  };
  const tx: Transaction = {
    dialect: "sqlite",
    db: compileOnly.sqlite,
    run: async <Row>(query: Parameters<Transaction["run"]>[0]) => runNext(query).rows as Row[],
    change: async (query) => runNext(query).changes,
  };
  database.exec("BEGIN IMMEDIATE");
  let isOver = false;
  const overrun = new Promise<never>((_resolve, reject) => {
    setImmediate(() => {
      if (!isOver) reject(new Error("the work of a transaction waited for something outside it"));
    });
  });
  try {
    const result = await Promise.race([work(tx, payload), overrun]);
    commit();
    return result;
  } catch (error) {
    rollBack();
    throw error;
  } finally {
    isOver = true;
    overrun.catch(() => {});
  }
}

async function handle(request: WorkerRequest): Promise<unknown> {
  switch (request.type) {
    case "query":
      return runQuery(request);
    case "write":
      return inTransaction(() => runAll(request.statements, request.guards));
    case "procedure": {
      const procedure = procedures.get(request.module) ?? (await loadProcedure(request.module));
      return inTransaction(() => procedure(request.payload));
    }
    case "work":
      return runWork(request.module, request.payload);
    case "probe":
      return probe();
    case "empty_log":
      return emptyLog();
    case "close":
      database.close();
      return undefined;
  }
}

/** Requests that arrive while transaction work is running. */
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
