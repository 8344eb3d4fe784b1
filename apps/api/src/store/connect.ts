import type { Pool, PoolClient } from "pg";

/** Beyond this many that wait for a connection, more would only wait in vain. */
const waitersMax = 500;

/** No connection could be had: nothing was done, and in a moment the very same call may succeed. Becomes a 503. */
class StoreUnreachable extends Error {
  readonly code = "overloaded";
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreUnreachable";
  }
}

/** A connection of the pool, or StoreUnreachable: at once where too many wait, else when the pool's time to wait is over. */
export async function connect(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount >= waitersMax) throw new StoreUnreachable("too many wait for a connection to the database");
  try {
    return await pool.connect();
  } catch (error) {
    throw new StoreUnreachable(`no connection to the database: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
