import type { Pool, PoolClient } from "pg";
import { explain, overloaded } from "../failure/failure.ts";

/** Backpressure: beyond this many waiters, more would only wait in vain. */
const waitersMax = 500;

/** A connection of the pool, or `overloaded`: at once where too many wait, else when the pool's time to wait is over. */
export async function connect(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount >= waitersMax) throw overloaded("too many wait for a connection to the database");
  try {
    return await pool.connect();
  } catch (error) {
    throw overloaded(`no connection to the database: ${explain(error)}`, { cause: error });
  }
}
