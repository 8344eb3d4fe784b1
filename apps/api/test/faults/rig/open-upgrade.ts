import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checkOut } from "../../../../../bench/check-out.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { startRedis } from "../../access/start-redis.ts";
import { findFreePort } from "../../find-free-port.ts";
import { makeAccount, type TestAccount, vastTier } from "../../make-account.ts";
import { send, waitUntil } from "../../send.ts";
import { joinPostgres } from "../../start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "../../start-service.ts";
import { startNginx } from "./start-nginx.ts";

/** The commit before the release that is tested: what runs in production when it is installed. */
const previousCommit = "2483828d3c91b43b8247d535c4e85249e5e84883";
const root = new URL("../../../../../", import.meta.url).pathname;
const readyMsMax = 60_000;
const nodeCount = 2;

/** For `skip`: false if this clone has the previous version, otherwise the reason. */
export function whyUpgradeIsSkipped(): string | false {
  const { status, error } = spawnSync("git", ["cat-file", "-e", `${previousCommit}^{commit}`], { cwd: root });
  if (error) return "git is not installed";
  return status === 0 ? false : `this clone has no commit ${previousCommit.slice(0, 8)} (shallow, or an archive)`;
}

export type Version = { name: "previous" | "current"; tree: string };

export const checkOutPrevious = (): Version => ({ name: "previous", tree: checkOut(previousCommit, makeTestFolder()).tree });
export const currentVersion: Version = { name: "current", tree: root };

/** The names of a version's migrations, from its own source. */
export async function readMigrationNames({ tree }: Version): Promise<string[]> {
  const { migrations } = (await import(join(tree, "apps/api/src/store/migrations/list.ts"))) as { migrations: { name: string }[] };
  return migrations.map(({ name }) => name);
}

export type UpgradedNode = {
  url: string;
  /** Drains the node and starts it in another version. Returns the exit code of the drain. */
  replace(version: Version): Promise<number | null>;
};

/** Two nodes behind nginx, on PostgreSQL and Redis. */
export type UpgradeRig = { url: string; nodes: UpgradedNode[]; store: Store; accounts: TestAccount[]; close(): Promise<void> };

export async function openUpgradeRig(version: Version): Promise<UpgradeRig> {
  const [postgres, redis] = await Promise.all([joinPostgres(), startRedis()]);
  const databaseUrl = await postgres.newDatabase();
  const [nginxPort, ...nodePorts] = await Promise.all(Array.from({ length: nodeCount + 1 }, findFreePort));
  const running: TestService[] = [];

  async function openNode(port: number): Promise<UpgradedNode> {
    const dataDir = makeTestFolder();
    const url = `http://127.0.0.1:${port}`;
    // The previous version does not know WORKERS.
    const env = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${nginxPort}`, TRUST_PROXY: "127.0.0.1/32", WORKERS: "2" };
    const start = async ({ tree }: Version) => {
      const service = await startService({ databaseUrl, redisUrl: redis.url, dataDir, program: join(tree, "apps/api/src/main.ts"), env });
      running.push(service);
      await waitUntil(() => send({ url }, "/health/ready").then(({ status }) => status === 200, () => false), "the node is ready", readyMsMax);
      return service;
    };
    let service = await start(version);
    return {
      url,
      async replace(next) {
        const code = await service.stop();
        service = await start(next);
        return code;
      },
    };
  }

  // The first one migrates.
  const nodes: UpgradedNode[] = [];
  for (const port of nodePorts) nodes.push(await openNode(port));
  const { store } = await openStore({ databaseUrl, dataDir: makeTestFolder() }, { nowMs: Date.now(), onConnectionError: () => {} });
  const accounts = [await makeAccount(store, { tier: vastTier }), await makeAccount(store, { tier: vastTier })];
  const nginx = await startNginx({ port: nginxPort!, nodePorts });
  return {
    url: nginx.url,
    nodes,
    store,
    accounts,
    async close() {
      await nginx.stop();
      await Promise.all(running.map((service) => service.kill9()));
      await store.close();
      await redis.stop();
      await postgres.stop();
    },
  };
}
