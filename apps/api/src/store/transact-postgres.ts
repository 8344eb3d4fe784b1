import type { Pool, PoolClient } from "pg";
import { explain, overloaded } from "../failure/failure.ts";
import { randomBase62 } from "../ids/time-ordered-id.ts";
import { findOutWhetherCommitted, insertFence, isCertainRefusal } from "./commit-fence.ts";
import { compileOnly } from "./compile-only.ts";
import { keepNoteLast } from "./keep-note-last.ts";
import type { Transaction, TransactionWork } from "./store.ts";

/** Backpressure: more waiting callers would time out anyway. */
const waitersMax = 500;

/** A connection of the pool. Throws `overloaded` at once if too many callers wait, else after the pool's timeout. */
export async function connect(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount >= waitersMax) throw overloaded("too many callers wait for a connection to the database");
  try {
    return await pool.connect();
  } catch (error) {
    throw overloaded(`no connection to the database: ${explain(error)}`, { cause: error });
  }
}

function transactionOn(client: PoolClient): Transaction {
  const checkOrder = keepNoteLast();
  const query = async <Row>(each: Parameters<Transaction["run"]>[0]) => {
    const { sql, parameters } = each.compile();
    checkOrder(sql);
    return client.query(sql, [...parameters]) as unknown as Promise<{ rows: Row[]; rowCount: number | null }>;
  };
  return {
    dialect: "postgres",
    db: compileOnly.postgres,
    run: async <Row>(each: Parameters<Transaction["run"]>[0]) => (await query<Row>(each)).rows,
    change: async (each) => (await query(each)).rowCount ?? 0,
  };
}

/** Runs the work between BEGIN and COMMIT. If the answer to COMMIT is lost, the fence tells whether it took effect. */
export async function transactOnPostgres<Payload, Result>(
  pool: Pool,
  work: TransactionWork<Payload, Result>,
  payload: Payload,
): Promise<Result> {
  const fenceId = randomBase62(22);
  const client = await connect(pool);
  let outcome: { result: Result } | undefined;
  try {
    await client.query("BEGIN");
    await client.query(insertFence, [fenceId]);
    outcome = { result: await work(transactionOn(client), payload) };
    await client.query("COMMIT");
    client.release();
    return outcome.result;
  } catch (error) {
    const rolledBack = await client.query("ROLLBACK").then(
      () => true,
      () => false,
    );
    client.release(rolledBack ? undefined : (error as Error));
    // Before COMMIT was sent nothing can have taken effect: the server rolls back when its client is gone.
    if (!outcome || isCertainRefusal(error)) throw error;
    const { result } = outcome;
    const found = await findOutWhetherCommitted(pool, fenceId, () => Promise.resolve({ result }));
    if (found) return found.result;
    throw error;
  }
}
