import { Client } from "pg";
import { waitUntil } from "../send.ts";
import { type RoleUrls, startPostgres, type TestPostgres } from "../start-postgres.ts";

/** A primary and a standby that follows it. Both have the files of one cluster. */
export type PostgresPair = {
  primary: TestPostgres;
  standby: TestPostgres;
  /** A migrated database on both. Its URLs list both hosts, the standby last. */
  newMigratedDatabase(): Promise<RoleUrls>;
  /** Whether commits on the primary wait for the standby. */
  setSynchronous(isSynchronous: boolean): Promise<void>;
  /** The standby becomes a primary, on a timeline of its own; resolves when it accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
};

export async function askServer<Row extends object>({ port }: { port: number }, sql: string, database = "postgres"): Promise<Row[]> {
  const client = new Client({ host: "127.0.0.1", port, user: "assay", database });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The URL with these servers instead of its host. */
export function listHosts(url: string, servers: readonly { port: number }[]): string {
  const { host } = new URL(url);
  return url.replace(`@${host}/`, `@${servers.map(({ port }) => `127.0.0.1:${port}`).join(",")}/`);
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const primary = await startPostgres();
  let standby: TestPostgres;
  try {
    standby = await startPostgres(undefined, { standbyOf: primary });
  } catch (error) {
    await primary.stop();
    throw error;
  }
  const pair = [primary, standby];
  const hasAll = async () => (await askServer(primary, "SELECT 1 FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()")).length > 0;
  return {
    primary,
    standby,
    async newMigratedDatabase() {
      const urls = await primary.newMigratedDatabase();
      await waitUntil(hasAll, "the standby has the database");
      return { databaseUrl: listHosts(urls.databaseUrl, pair), databaseOwnerUrl: listHosts(urls.databaseOwnerUrl, pair) };
    },
    async setSynchronous(isSynchronous) {
      await askServer(primary, `ALTER SYSTEM SET synchronous_standby_names = '${isSynchronous ? "*" : ""}'`);
      await askServer(primary, "SELECT pg_reload_conf()");
      if (isSynchronous) await waitUntil(async () => (await askServer(primary, "SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')")).length > 0, "the standby is synchronous");
    },
    async promote() {
      await askServer(standby, "SELECT pg_promote(true, 30)");
    },
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}
