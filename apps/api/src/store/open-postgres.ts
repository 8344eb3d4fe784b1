import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { openCommitLine } from "./commit-line.ts";
import { keepNoteLast } from "./keep-note-last.ts";
import type { Schema } from "./schema.ts";
import type { ClosedWrite, PostgresStore, TransactionWork } from "./store.ts";
import { connect, transactOnPostgres } from "./transact-postgres.ts";

/**
 * A node has twelve connections. More would not make it faster: all writes of calls go through four group commits. The
 * charges have a line of their own; the other three have one batch at a time, and a fourth connection is for other
 * transactions (a sweep, an operator's step, the outcome of a commit). These five are separate from the rest, so that no
 * report ever keeps a call from being billed.
 */
const commitLines = 1;
const commitConnectionsMax = 4;
/** Four for key look-ups, three for reports, mail, jobs, sign-ins and the revocation feed. Each is held for milliseconds. */
const otherConnectionsMax = 7;
/** PostgreSQL must allow this many per node, and a few for migrations, commands and itself. */
export const connectionsPerNode = commitLines + commitConnectionsMax + otherConnectionsMax;
const connectTimeoutMs = 3_000;
/** A connection without an answer for this long counts as lost. */
const answerTimeoutMs = 5_000;
/** An idle connection is closed: a firewall on the way may have forgotten it. */
const idleMsMax = 60_000;

/** For connections whose statements may take long. */
export const durableCommits = "-c synchronous_commit=on";

/**
 * Set on every connection. A commit is on disk when it is acknowledged, and lock waits are short. The server ends a
 * transaction whose client stopped in the middle, and a statement a second after its client has given it up.
 */
const sessionSettings = [
  durableCommits,
  "-c statement_timeout=6000",
  "-c lock_timeout=3000",
  "-c idle_in_transaction_session_timeout=1000",
  "-c default_transaction_isolation=read\\ committed",
  "-c jit=off",
].join(" ");

/** PostgreSQL sends bigint and its sums as text. Throws for integers beyond 2^53. */
function parseWholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Error(`${text} is beyond 2^53`);
  return value;
}

const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    const { INT8, NUMERIC } = pg.types.builtins;
    if (format !== "binary" && (oid === INT8 || oid === NUMERIC)) return parseWholeNumber;
    return pg.types.getTypeParser(oid, format);
  },
};

/** node-postgres lets the URL's own options replace those beside it, so ours are added to them: the last one counts. */
function addOptions(url: string, options: string): string {
  const parsed = new URL(url);
  parsed.searchParams.set("options", [...parsed.searchParams.getAll("options"), options].join(" "));
  return parsed.href;
}

/** `options`: what the session sets, as PostgreSQL's command line takes it. */
export function connectionSettings(url: string, options = sessionSettings): pg.ClientConfig {
  return {
    connectionString: addOptions(url, options),
    types: typeParsers,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: "assay",
  };
}

/** node-postgres's error for a statement that exceeds `query_timeout`. */
const isReadTimeout = (error: unknown) => error instanceof Error && error.message === "Query read timeout";

/** Destroys a connection after a read timeout. Kysely would return it to the pool, and the late answer would fail the next query. */
function discardingTimedOut(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connect(pool);
      let timeout: Error | undefined;
      const query = (sql: string, parameters: unknown[]) =>
        client.query(sql, parameters).catch((error: Error) => {
          if (isReadTimeout(error)) timeout = error;
          throw error;
        });
      const release = (destroy?: boolean) => client.release(timeout ?? destroy);
      return { query, release } as unknown as PostgresPoolClient;
    },
  };
}

/** After a read timeout the idle connections, to the same server, are likely dead too; each would cost a whole timeout. */
function destroyIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect().then(
      (client) => client.release(true),
      () => {},
    );
  }
}

function openPool(url: string, max: number, onConnectionError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...connectionSettings(url), max, query_timeout: answerTimeoutMs, idleTimeoutMillis: idleMsMax });
  pool.on("error", onConnectionError);
  // Without a listener of its own a checked-out client that breaks ends the process.
  pool.on("connect", (client) => client.on("error", onConnectionError));
  pool.on("release", (error) => {
    if (isReadTimeout(error)) destroyIdle(pool);
  });
  return pool;
}

/** Queries on one connection, inside its open transaction if any. The caller closes the connection. */
export function kyselyOn(client: pg.Client): Kysely<Schema> {
  const lent = { query: client.query.bind(client), release: () => {} } as unknown as PostgresPoolClient;
  const pool = { options: {}, connect: () => Promise.resolve(lent), end: () => Promise.resolve() };
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

/** Opens a migrated database. `onConnectionError` is called for broken connections; the pool replaces them. */
export function openPostgres(url: string, onConnectionError: (error: Error) => void): PostgresStore {
  const pool = openPool(url, otherConnectionsMax, onConnectionError);
  const commitPool = openPool(url, commitConnectionsMax, onConnectionError);
  const chargeLine = openCommitLine({
    settings: { ...connectionSettings(url), query_timeout: answerTimeoutMs },
    idleMsMax,
    onConnectionError,
    onUnknownOutcome: (error) => {
      if (isReadTimeout(error)) destroyIdle(commitPool);
    },
  });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: discardingTimedOut(pool) }) });
  return {
    dialect: "postgres",
    db,
    pool,
    commitPool,
    chargeLine,
    async write(statements: ClosedWrite, { firstIsGuard } = { firstIsGuard: false }) {
      const compiled = statements.map((each) => each.compile());
      const client = await connect(pool);
      let broken: Error | undefined;
      try {
        await client.query("BEGIN");
        const changes: number[] = [];
        const checkOrder = keepNoteLast();
        for (const { sql, parameters } of compiled) {
          checkOrder(sql);
          changes.push((await client.query(sql, [...parameters])).rowCount ?? 0);
          if (firstIsGuard && changes[0] === 0) break;
        }
        await client.query("COMMIT");
        return changes;
      } catch (error) {
        await client.query("ROLLBACK").catch((rollbackError: Error) => {
          broken = rollbackError;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async transact<Payload, Result>(module: URL, payload: Payload) {
      const { work } = (await import(module.href)) as { work: TransactionWork<Payload, Result> };
      return transactOnPostgres(commitPool, work, payload);
    },
    async ping() {
      await pool.query("SELECT 1");
    },
    async close() {
      await db.destroy();
      // Kysely ends the pool only if it has used it, and an idle connection would keep the process alive for a minute.
      if (!pool.ending) await pool.end();
      await Promise.all([chargeLine.end(), commitPool.end()]);
    },
  };
}
