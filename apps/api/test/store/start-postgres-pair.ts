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
  /** After `promote`: ends the old primary, and gives the new one a standby. Much cheaper than another pair, whose databases must be made. */
  renew(): Promise<PostgresPair>;
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

/** The URL with these servers instead of its hosts. */
export function listHosts(url: string, servers: readonly { port: number }[]): string {
  return url.replace(/@[^/]+\//, `@${servers.map(({ port }) => `127.0.0.1:${port}`).join(",")}/`);
}

/** The timeline that a primary writes on. Each promotion begins the next one. */
export async function readTimeline(server: { port: number }): Promise<number> {
  const [row] = await askServer<{ timeline: string }>(server, "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline");
  return Number.parseInt(row!.timeline, 16);
}

export const startPostgresPair = async (): Promise<PostgresPair> => giveStandby(await startPostgres());

async function giveStandby(primary: TestPostgres): Promise<PostgresPair> {
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
    async renew() {
      await primary.stop();
      return giveStandby(standby);
    },
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}
