import pg from "pg";
import { waitUntil } from "../send.ts";

/** Runs `work` while another transaction has changed rows, and commits that one once `work` waits for it, with as many transactions as expected. PostgreSQL only. */
export async function whileHeld<Result>(
  databaseUrl: string | undefined,
  statements: readonly { text: string; values: unknown[] }[],
  work: () => Promise<Result>,
  { waiters = 1 }: { waiters?: number } = {},
): Promise<Result> {
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  const commitOnceAwaited = async (): Promise<void> => {
    await waitUntil(async () => (await other.query("SELECT 1 FROM pg_locks WHERE NOT granted")).rowCount! >= waiters, "the rows are waited for");
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
