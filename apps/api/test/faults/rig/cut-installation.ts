import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Dialect } from "../../../src/store/migrations/migration.ts";
import { openStore, type StoreSettings } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { startPostgres } from "../../start-postgres.ts";
import { makeTestFolder, startService, testSecretKey, type TestService } from "../../start-service.ts";
import { insertDisk, type PowerCutDisk, type Unsynced, type Loss } from "./power-cut.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** A service and its store, on a disk whose power can be cut. */
export type CutInstallation = {
  settings: StoreSettings;
  disk: PowerCutDisk;
  start(): Promise<TestService>;
  /** Ends every process at once, in the middle of whatever it does. */
  killAll(service: TestService): void;
  /** After `killAll`: takes from the disk what was not synced, and starts the database again. */
  cutPower(service: TestService, unsynced: Unsynced): Promise<Loss>;
  close(): Promise<void>;
};

/** What `prepare` writes is on the disk before the first cut. */
type Preparation = { random: SeededRandom; prepare: (store: Store) => Promise<void> };

async function prepareStore(settings: StoreSettings, prepare: Preparation["prepare"]): Promise<void> {
  const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
  await prepare(store);
  await store.close();
}

async function openOnSqlite({ random, prepare }: Preparation): Promise<CutInstallation> {
  const folder = makeTestFolder();
  const settings = { dataDir: join(folder, "data"), databaseUrl: undefined };
  mkdirSync(settings.dataDir);
  await prepareStore(settings, prepare);
  const disk = insertDisk(settings.dataDir, { beside: join(folder, "disk"), random });
  return {
    settings,
    disk,
    start: () => startService({ ...settings, env: { ...disk.env, SECRET_KEY: testSecretKey } }),
    killAll: (service) => void service.child.kill("SIGKILL"),
    async cutPower(service, unsynced) {
      await service.kill9();
      return disk.cutPower(unsynced);
    },
    close: () => Promise.resolve(),
  };
}

/** Each sync copies a file, so the segments of the log are small. The log is synced for a commit only, not by the way. */
const postgresOptions = { initdb: ["--wal-segsize=1"], settings: ["wal_writer_delay=10s"] };

async function openOnPostgres({ random, prepare }: Preparation): Promise<CutInstallation> {
  const postgres = await startPostgres(undefined, postgresOptions);
  try {
    const settings = { dataDir: makeTestFolder(), databaseUrl: await postgres.newDatabase() };
    await prepareStore(settings, prepare);
    await postgres.halt();
    const disk = insertDisk(postgres.dataFolder, { beside: join(dirname(postgres.dataFolder), "disk"), random });
    await postgres.restart(disk.env);
    return {
      settings,
      disk,
      start: () => startService(settings),
      // The database first: the service answers nothing that it did not commit before.
      killAll(service) {
        postgres.kill9();
        service.child.kill("SIGKILL");
      },
      async cutPower(service, unsynced) {
        await service.kill9();
        await postgres.whenGone();
        const loss = disk.cutPower(unsynced);
        await postgres.restart(disk.env);
        return loss;
      },
      close: () => postgres.stop(),
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

export const openCutInstallation = (dialect: Dialect, preparation: Preparation): Promise<CutInstallation> =>
  dialect === "sqlite" ? openOnSqlite(preparation) : openOnPostgres(preparation);
