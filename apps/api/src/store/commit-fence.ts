/** What happened to a transaction on PostgreSQL whose COMMIT was not seen. */
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError, type Pool } from "pg";
import { CommitUnknown } from "./commit-unknown.ts";

/** How long a transaction whose COMMIT was not seen is looked up before its callers are cut off. */
const findOutMs = 5_000;
const findOutPauseMs = 100;

/**
 * PostgreSQL refused and rolled back, and said so on a connection that works: nothing was done. Every
 * other error (a cut, a timeout, a server going down: classes 08 and 57P) leaves the outcome open.
 */
export function isCertainRefusal(error: unknown): boolean {
  // By its class, not by the look of its code: EPIPE has five letters too, and is a cut.
  if (!(error instanceof DatabaseError) || error.code === undefined) return false;
  return !error.code.startsWith("08") && !error.code.startsWith("57P");
}

/** The database's own time: upkeep deletes old fences, and a node whose clock is wrong must not make new ones look old. */
const storeNowMs = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/**
 * The first statement of a transaction that must be found again: it fails if the transaction was given up
 * meanwhile, and with it everything else.
 */
export const raiseFence = `INSERT INTO commit_batches (id, committed, at) VALUES ($1, 1, ${storeNowMs})`;

/**
 * Settles whether a transaction took effect. Writing its id ourselves decides it for good: if ours goes
 * in, it can no longer commit; if it is there already, it has committed.
 */
async function hasCommitted(pool: Pool, fenceId: string): Promise<boolean> {
  const inserted = await pool.query(
    `INSERT INTO commit_batches (id, committed, at) VALUES ($1, 0, ${storeNowMs}) ON CONFLICT (id) DO NOTHING`,
    [fenceId],
  );
  if (inserted.rowCount === 1) return false;
  const found = await pool.query<{ committed: number }>("SELECT committed FROM commit_batches WHERE id = $1", [fenceId]);
  return found.rows[0]?.committed === 1;
}

/** Asks until the store answers. Undefined means that the transaction did not and never will take effect. */
export async function findOutWhetherCommitted<Result>(
  pool: Pool,
  fenceId: string,
  whenCommitted: () => Promise<Result>,
): Promise<Result | undefined> {
  const deadline = performance.now() + findOutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      return (await hasCommitted(pool, fenceId)) ? await whenCommitted() : undefined;
    } catch (error) {
      last = error;
      await sleep(findOutPauseMs);
    }
  }
  throw new CommitUnknown(last);
}
