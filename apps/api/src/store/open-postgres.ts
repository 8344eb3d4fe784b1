import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { connect } from "./connect.ts";
import type { Schema } from "./schema.ts";
import type { ClosedWrite, PostgresStore, TransactionWork } from "./store.ts";
import { transactOnPostgres } from "./transact-postgres.ts";

/**
 * A node's connections, twelve in all. More would not make it faster: everything that calls write goes through four group
 * commits, each with one batch at a time, and a fifth connection is for transactions beside them (a sweep, an operator's
 * step, finding out about a commit). They are apart from the rest, so that no report ever keeps a call from being billed.
 */
const commitConnectionsMax = 5;
/** Four for keys that are looked up, and three for reports, mail, jobs, sign-ins and news: each holds one for milliseconds. */
const otherConnectionsMax = 7;
/** Of all nodes together PostgreSQL must allow this many each, and a few for migrations, commands and its own. */
export const connectionsPerNode = commitConnectionsMax + otherConnectionsMax;
const connectTimeoutMs = 3_000;
/** A statement without an answer for this long counts as lost with its connection. */
const answerTimeoutMs = 5_000;

/**
 * Set on every connection: a commit is on disk when it is acknowledged, nobody waits on a lock for long,
 * a transaction whose client stopped in the middle is ended by the server, and so is a statement whose client has
 * given it up a second before.
 */
const sessionSettings = [
  "-c synchronous_commit=on",
  "-c statement_timeout=6000",
  "-c lock_timeout=3000",
  "-c idle_in_transaction_session_timeout=1000",
  "-c default_transaction_isolation=read\\ committed",
  "-c jit=off",
].join(" ");

/** Whole numbers that PostgreSQL sends as text (bigint, and sums of them) become numbers, or fail loudly. */
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

/** What a single connection needs; the migrations open one of their own with it. */
export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    options: sessionSettings,
    types: typeParsers,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: "assay",
  };
}

/** What node-postgres says of a statement whose answer did not come within `query_timeout`. */
const isSilence = (error: unknown) => error instanceof Error && error.message === "Query read timeout";

/** Kysely hands every connection back as a good one; one whose answer is still due would fail its next user. */
function withoutSilentOnes(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connect(pool);
      let silence: Error | undefined;
      const query = (sql: string, parameters: unknown[]) =>
        client.query(sql, parameters).catch((error: Error) => {
          if (isSilence(error)) silence = error;
          throw error;
        });
      const release = (destroy?: boolean) => client.release(silence ?? destroy);
      return { query, release } as unknown as PostgresPoolClient;
    },
  };
}

/**
 * Where one connection has fallen silent the idle ones are of the same network and server: they are dropped
 * together, or each would cost its next user a whole timeout.
 */
function dropIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect().then(
      (client) => client.release(true),
      () => {},
    );
  }
}

function openPool(url: string, max: number, onConnectionError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...connectionSettings(url), max, query_timeout: answerTimeoutMs, idleTimeoutMillis: 60_000 });
  pool.on("error", onConnectionError);
  // Without a listener of its own a client that breaks while it is checked out ends the process.
  pool.on("connect", (client) => client.on("error", onConnectionError));
  pool.on("release", (error) => {
    if (isSilence(error)) dropIdle(pool);
  });
  return pool;
}

/** Opens a migrated database. `onConnectionError` hears of connections that break; the pool replaces them. */
export function openPostgres(url: string, onConnectionError: (error: Error) => void): PostgresStore {
  const pool = openPool(url, otherConnectionsMax, onConnectionError);
  const commitPool = openPool(url, commitConnectionsMax, onConnectionError);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withoutSilentOnes(pool) }) });
  return {
    dialect: "postgres",
    db,
    pool,
    commitPool,
    async write(statements: ClosedWrite) {
      const compiled = statements.map((each) => each.compile());
      const client = await connect(pool);
      let broken: Error | undefined;
      try {
        await client.query("BEGIN");
        const changes: number[] = [];
        for (const { sql, parameters } of compiled) {
          changes.push((await client.query(sql, [...parameters])).rowCount ?? 0);
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
      // Kysely ends the pool only if it has used it, and an idle connection would keep the process for a minute.
      if (!pool.ending) await pool.end();
      await commitPool.end();
    },
  };
}
