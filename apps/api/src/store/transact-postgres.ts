import type { Pool, PoolClient } from "pg";
import { findOutWhetherCommitted, isCertainRefusal, raiseFence } from "./commit-fence.ts";
import { compileOnly } from "./compile-only.ts";
import { connect } from "./connect.ts";
import type { Transaction, TransactionWork } from "./store.ts";
import { randomBase62 } from "../ids/time-ordered-id.ts";

function transactionOn(client: PoolClient): Transaction {
  const query = <Row>(each: Parameters<Transaction["run"]>[0]) => {
    const { sql, parameters } = each.compile();
    return client.query(sql, [...parameters]) as unknown as Promise<{ rows: Row[]; rowCount: number | null }>;
  };
  return {
    dialect: "postgres",
    db: compileOnly.postgres,
    run: async <Row>(each: Parameters<Transaction["run"]>[0]) => (await query<Row>(each)).rows,
    change: async (each) => (await query(each)).rowCount ?? 0,
  };
}

/**
 * Runs the work between BEGIN and COMMIT. Its result is known before COMMIT, so where the COMMIT's answer is
 * lost, knowing whether it took effect is knowing all.
 */
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
    await client.query(raiseFence, [fenceId]);
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
    // Before COMMIT was sent nothing can have taken effect: the server ends what its client has left.
    if (!outcome || isCertainRefusal(error)) throw error;
    const { result } = outcome;
    const found = await findOutWhetherCommitted(pool, fenceId, () => Promise.resolve({ result }));
    if (found) return found.result;
    throw error;
  }
}
