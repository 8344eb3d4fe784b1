import pg from "pg";
import { connectionSettings } from "../../src/store/primary/connection-settings.ts";
import { parseAddress } from "../../src/store/primary/parse-address.ts";
import { serviceSettings } from "../../src/store/primary/session-settings.ts";
import type { Store, TransactionWork } from "../../src/store/store.ts";
import { transactOnPostgres } from "../../src/store/transact-postgres.ts";
import type { TestDatabase } from "../both-stores.ts";
import { waitUntil } from "../send.ts";

type Statement = { text: string; values: unknown[] };

/** How many transactions of this database wait for a lock. Other test files use other databases of the same server. Within a transaction pg_stat_activity would not change. */
async function countWaiting(client: pg.Client): Promise<number> {
  const ofThisDatabase = "SELECT pid FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())";
  const { rows } = await client.query<{ pid: number }>(`SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pid IN (${ofThisDatabase})`);
  return rows.length;
}

/** Runs `work` while another transaction has changed rows, and commits that one once `work` waits for it, with as many transactions as expected. PostgreSQL only. */
export async function whileHeld<Result>(
  databaseUrl: string | undefined,
  statements: readonly Statement[],
  work: () => Promise<Result>,
  { waiters = 1 }: { waiters?: number } = {},
): Promise<Result> {
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  const commitOnceAwaited = async (): Promise<void> => {
    await waitUntil(async () => (await countWaiting(other)) >= waiters, "the rows are waited for");
    await other.query("COMMIT");
  };
  try {
    await other.query("BEGIN");
    for (const statement of statements) await other.query(statement);
    const [result] = await Promise.all([work(), commitOnceAwaited()]);
    return result;
  } finally {
    await other.end();
  }
}

const forever = { set: "0", shown: ["0"] };
const patientSettings = { ...serviceSettings, statement_timeout: forever, lock_timeout: forever, idle_in_transaction_session_timeout: forever };

/**
 * Stops `first` in the middle of its transaction, by the rows that another client holds, and starts `second`, which must
 * wait for it. Then the rows are let go unchanged, and both finish. PostgreSQL only. Their transactions wait as long as it
 * takes: on a busy machine this order may need more than the seconds that a service gives a lock.
 */
export async function inForcedOrder<First, Second>(
  { store, databaseUrl }: TestDatabase,
  { held, first, second }: { held: Statement; first: (store: Store) => Promise<First>; second: (store: Store) => Promise<Second> },
): Promise<[First, Second]> {
  const pool = new pg.Pool({ ...connectionSettings(parseAddress(databaseUrl!), patientSettings), connectionTimeoutMillis: 0 });
  const patient: Store = Object.assign({}, store, {
    async transact<Payload, Result>(module: URL, payload: Payload) {
      const { work } = (await import(module.href)) as { work: TransactionWork<Payload, Result> };
      return transactOnPostgres(pool, work, payload);
    },
  });
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  const over: string[] = [];
  /** Resolves when it waits; also when it is over, so that the test fails by what became of the money. */
  async function start<Result>(name: string, work: (store: Store) => Promise<Result>, waiting: number): Promise<{ run: Promise<Result> }> {
    const run = work(patient);
    const note = () => void over.push(name);
    run.then(note, note);
    await waitUntil(async () => over.includes(name) || (await countWaiting(other)) >= waiting, `the ${name} transaction waits`);
    return { run };
  }
  try {
    await other.query("BEGIN");
    await other.query(held);
    const begun = await start("first", first, 1);
    const following = await start("second", second, 2);
    const tooEarly = [...over];
    await other.query("ROLLBACK");
    const results: [First, Second] = [await begun.run, await following.run];
    if (tooEarly.length > 0) throw new Error(`the ${tooEarly.join(" and the ")} transaction did not wait; the outcomes are ${JSON.stringify(results)}`);
    return results;
  } finally {
    await other.end();
    await pool.end();
  }
}
