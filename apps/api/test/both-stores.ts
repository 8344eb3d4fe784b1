import { after, describe } from "node:test";
import { getCallSites } from "node:util";
import { openStore, type StoreSettings } from "../src/store/open-store.ts";
import type { Dialect } from "../src/store/migrations/migration.ts";
import type { Store } from "../src/store/store.ts";
import { joinPostgres, whyPostgresIsSkipped } from "./start-postgres.ts";
import { makeTestFolder, startService, type TestService, type TestServiceSettings } from "./start-service.ts";

/** An empty, migrated database. Its store and services are closed when the suite ends. */
export type TestDatabase = StoreSettings & {
  dialect: Dialect;
  store: Store;
  /** PostgreSQL: the role that owns the tables. The store and services use one that does not. */
  databaseOwnerUrl?: string;
  /** Starts a real server on this database; call it twice for two nodes. */
  serve(settings?: Pick<TestServiceSettings, "redisUrl" | "env">): Promise<TestService>;
};

export type OpenDatabase = () => Promise<TestDatabase>;

let postgres: ReturnType<typeof joinPostgres> | undefined;

/** One server for all suites of a test file. */
function sharedPostgres() {
  postgres ??= joinPostgres();
  return postgres;
}

after(async () => {
  if (postgres) await (await postgres).stop();
});

async function makeDatabase(dialect: Dialect, closers: (() => Promise<unknown>)[]): Promise<TestDatabase> {
  const settings = {
    dataDir: makeTestFolder(),
    ...(dialect === "postgres" ? await (await sharedPostgres()).newMigratedDatabase() : { databaseUrl: undefined }),
  };
  const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
  closers.push(() => store.close());
  return {
    ...settings,
    dialect,
    store,
    async serve(more) {
      const service = await startService({ ...settings, ...more });
      // Nobody is there any more who would notice a drain, which takes a second.
      closers.push(() => service.kill9());
      return service;
    },
  };
}

/** Where the PostgreSQL half runs every day: money, and what the two stores do differently. `npm test -- --all` runs every half. */
const postgresEveryday = /\/apps\/api\/(src\/(access|ads\/clicks|money|operations|store|webhooks\/deliveries)\/|test\/(fairness|findings|limits|reversals|rewritten-ledger|watch-sessions))/;

function dialectsFor(testFile: string): readonly Dialect[] {
  return process.env.ASSAY_TEST_LANE === "everyday" && !postgresEveryday.test(testFile) ? ["sqlite"] : ["sqlite", "postgres"];
}

/** Runs the same suite on SQLite and on PostgreSQL: both must give the same guarantees. */
export function describeBothStores(name: string, suite: (open: OpenDatabase, dialect: Dialect) => void): void {
  for (const dialect of dialectsFor(getCallSites(2)[1]!.scriptName)) {
    const skip = dialect === "postgres" ? whyPostgresIsSkipped() : false;
    describe(`${name} (${dialect})`, { skip }, () => {
      const closers: (() => Promise<unknown>)[] = [];
      after(async () => {
        // In reverse order: services use the store that was opened before them.
        for (const close of closers.toReversed()) await close();
      });
      suite(() => makeDatabase(dialect, closers), dialect);
    });
  }
}
