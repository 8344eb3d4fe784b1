import { type CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { openCommitLine } from "./commit-line.ts";
import { keepNoteLast } from "./keep-note-last.ts";
import { connectionSettings } from "./primary/connection-settings.ts";
import { findPrimary, type Primary } from "./primary/find-primary.ts";
import { checkedClient } from "./primary/primary-client.ts";
import { serviceSettings, type SessionSettings } from "./primary/session-settings.ts";
import type { Schema } from "./schema.ts";
import { isLostConnection } from "./store-failure.ts";
import { type ClosedWrite, type PostgresStore, type TransactionWork, type WriteOptions } from "./store.ts";
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
/** A connection without an answer for this long counts as lost. */
const answerTimeoutMs = 5_000;
/** An idle connection is closed: a firewall on the way may have forgotten it. */
const idleMsMax = 60_000;

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

function openPool(settings: pg.PoolConfig, onConnectionError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...settings, idleTimeoutMillis: idleMsMax });
  pool.on("error", onConnectionError);
  // Without a listener of its own a checked-out client that breaks ends the process.
  pool.on("connect", (client) => client.on("error", onConnectionError));
  pool.on("release", (error) => {
    if (isReadTimeout(error)) destroyIdle(pool);
  });
  return pool;
}

type WriteContext = { guards: number; progress: { commitSent: boolean } };

/** The statements in one transaction. If it throws before COMMIT was sent, nothing took effect. */
async function writeOnPostgres(pool: pg.Pool, compiled: readonly CompiledQuery[], { guards, progress }: WriteContext): Promise<number[]> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const changes: number[] = [];
    const checkOrder = keepNoteLast();
    for (const { sql, parameters } of compiled) {
      checkOrder(sql);
      changes.push((await client.query(sql, [...parameters])).rowCount ?? 0);
      if (changes.length <= guards && changes.at(-1) === 0) break;
    }
    progress.commitSent = true;
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
}

/** Queries on one connection, inside its open transaction if any. The caller closes the connection. */
export function kyselyOn(client: pg.Client): Kysely<Schema> {
  const lent = { query: client.query.bind(client), release: () => {} } as unknown as PostgresPoolClient;
  const pool = { options: {}, connect: () => Promise.resolve(lent), end: () => Promise.resolve() };
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

/** Opens a migrated database. `onConnectionError` is called for broken connections; the pool replaces them. */
export function openPostgres(
  where: string | Primary,
  onConnectionError: (error: Error) => void,
  { settings }: { settings: SessionSettings } = { settings: serviceSettings },
): PostgresStore {
  const primary = typeof where === "string" ? findPrimary(where) : where;
  const Client = checkedClient(primary, settings);
  const connections = { ...connectionSettings(primary.address, settings), query_timeout: answerTimeoutMs };
  const pool = openPool({ ...connections, Client, max: otherConnectionsMax }, onConnectionError);
  const commitPool = openPool({ ...connections, Client, max: commitConnectionsMax }, onConnectionError);
  const chargeLine = openCommitLine({
    settings: connections,
    Client,
    idleMsMax,
    onConnectionError,
    onUnknownOutcome: (error) => {
      if (isReadTimeout(error)) destroyIdle(commitPool);
    },
  });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: discardingTimedOut(pool) }) });
  primary.watch();
  return {
    dialect: "postgres",
    db,
    pool,
    commitPool,
    chargeLine,
    lastReading: primary.lastReading,
    hosts: primary.address.hosts.length,
    async write(statements: ClosedWrite, { guards }: WriteOptions = { guards: 0 }) {
      const compiled = statements.map((each) => each.compile());
      const context = { guards, progress: { commitSent: false } };
      try {
        return await writeOnPostgres(pool, compiled, context);
      } catch (error) {
        // The server ends a transaction whose node stood still for a second. Nothing of it took effect.
        if (context.progress.commitSent || !isLostConnection(error)) throw error;
        return writeOnPostgres(pool, compiled, context);
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
      primary.close();
      await db.destroy();
      // Kysely ends the pool only if it has used it, and an idle connection would keep the process alive for a minute.
      if (!pool.ending) await pool.end();
      await Promise.all([chargeLine.end(), commitPool.end()]);
    },
  };
}
