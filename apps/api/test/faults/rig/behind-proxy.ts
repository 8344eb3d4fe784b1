import { makeAccount, type TestAccount, vastTier } from "../../make-account.ts";
import type { TestPostgres } from "../../start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "../../start-service.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { type PostgresProxy, startPostgresProxy, type Target } from "./postgres-proxy.ts";

/** A separate database that nodes reach through a proxy and the test reaches directly. */
export type BehindProxy = {
  store: Store;
  proxy: PostgresProxy;
  accounts: TestAccount[];
  serve(): Promise<TestService>;
  close(): Promise<void>;
};

const accountCount = 3;

export async function openBehindProxy(postgres: TestPostgres, target?: Target): Promise<BehindProxy> {
  const settings = { databaseUrl: (await postgres.newMigratedDatabase()).databaseUrl, dataDir: makeTestFolder() };
  const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
  const accounts: TestAccount[] = [];
  for (let made = 0; made < accountCount; made += 1) accounts.push(await makeAccount(store, { tier: vastTier }));
  const proxy = await startPostgresProxy(settings.databaseUrl, target);
  const services: TestService[] = [];
  return {
    store,
    proxy,
    accounts,
    async serve() {
      const service = await startService({ ...settings, databaseUrl: proxy.url });
      services.push(service);
      return service;
    },
    async close() {
      for (const service of services) await service.kill9();
      await proxy.close();
      await store.close();
    },
  };
}
