/** Finds the outcome of a PostgreSQL transaction whose COMMIT was not acknowledged. */
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError, type Pool, type PoolClient } from "pg";
import { CommitUnknown } from "./store-failure.ts";

/** How long the outcome is queried before the callers' connections are closed. */
const findOutMs = 5_000;
const findOutPauseMs = 100;

/**
 * Whether PostgreSQL has refused and rolled back, and reported it on a working connection. Every other error (a broken
 * connection, a timeout, a shutdown: classes 08 and 57P) leaves the outcome open.
 */
export function isCertainRefusal(error: unknown): boolean {
  // By its class, not by the form of its code: EPIPE also has five letters, but is a broken connection.
  if (!(error instanceof DatabaseError) || error.code === undefined) return false;
  return !error.code.startsWith("08") && !error.code.startsWith("57P");
}

/** The database's time: old fences are deleted, and a node with a wrong clock must not create fences that look old. */
const storeNowMs = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** The first statement of a fenced transaction. It fails, and the transaction with it, if the transaction was given up. */
export const insertFence = `INSERT INTO commit_batches (id, committed, at) VALUES ($1, 1, ${storeNowMs})`;

/** A connection behind a pooler can ask again which server it leads to (see primary-client.ts). */
type FenceClient = PoolClient & { recheck?: () => Promise<void> };

/** If the insert succeeds, the transaction can no longer commit; if the fence exists already, it has committed. */
async function claimFence(client: FenceClient, fenceId: string): Promise<boolean> {
  const inserted = await client.query(
    `INSERT INTO commit_batches (id, committed, at) VALUES ($1, 0, ${storeNowMs}) ON CONFLICT (id) DO NOTHING`,
    [fenceId],
  );
  if (inserted.rowCount === 1) return false;
  const found = await client.query<{ committed: number }>("UPDATE commit_batches SET at = at WHERE id = $1 RETURNING committed", [fenceId]);
  return found.rows[0]?.committed === 1;
}

/**
 * Decides whether a transaction took effect by inserting its fence. That is told by a write: after a crash, a server shows
 * commits that its synchronous standby never got, and only a commit waits until the standby has it and all before it. The
 * server is asked in the same transaction whether it was replaced: a pooler may lead each transaction to another one.
 */
async function hasCommitted(pool: Pool, fenceId: string): Promise<boolean> {
  const client: FenceClient = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("BEGIN");
    const committed = await claimFence(client, fenceId);
    await client.recheck?.();
    await client.query("COMMIT");
    return committed;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Retries until the store answers. Undefined if the transaction did not and never will take effect. */
export async function findOutWhetherCommitted<Result>(
  pool: Pool,
  fenceId: string,
  whenCommitted: () => Promise<Result>,
): Promise<Result | undefined> {
  const deadlineMs = performance.now() + findOutMs;
  let last: unknown;
  while (performance.now() < deadlineMs) {
    try {
      return (await hasCommitted(pool, fenceId)) ? await whenCommitted() : undefined;
    } catch (error) {
      last = error;
      await sleep(findOutPauseMs);
    }
  }
  throw new CommitUnknown(last);
}
