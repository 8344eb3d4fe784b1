import { once } from "node:events";
import { join } from "node:path";
import { makeCampaign } from "../../ads/serving/make-campaign.ts";
import { signIn } from "../../people/browser.ts";
import { type RedisServer, startRedis } from "../../access/start-redis.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { findFreePort } from "../../find-free-port.ts";
import { makeAccount, type TestAccount, vastTier } from "../../make-account.ts";
import { send, waitUntil } from "../../send.ts";
import { startPostgres, type TestPostgres } from "../../start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "../../start-service.ts";
import { type PostgresProxy, startPostgresProxy } from "./postgres-proxy.ts";
import { type Nginx, startNginx } from "./start-nginx.ts";

export const nodeCount = 3;
const accountCount = 4;
const readyMsMax = 60_000;
const ownSource = new URL("../../../src/", import.meta.url).pathname;

/** One node, which keeps its port and its proxy to the database through all restarts. */
export type ClusterNode = {
  name: string;
  url: string;
  /** The proxy between this node and PostgreSQL. */
  proxy: PostgresProxy;
  service: TestService;
  /** Everything that it has printed, including before restarts. */
  logs(): string;
  /** Restarts it, as a supervisor would, in the installation's current version. */
  start(): Promise<void>;
  isReady(): Promise<boolean>;
  /** Moves its clock. */
  setClock(aheadMs: number): Promise<void>;
  /** Its memory after a garbage collection, which stops it for a moment. */
  measureMemory(): Promise<{ liveBytes: number; residentBytes: number }>;
};

/** Three nodes behind nginx, on PostgreSQL and Redis, each a separate process. */
export type Installation = {
  /** URL of nginx, for callers. */
  url: string;
  nodes: ClusterNode[];
  postgres: TestPostgres;
  redis: RedisServer;
  nginx: Nginx;
  databaseUrl: string;
  dataDir: string;
  /** Connected to PostgreSQL directly, without a proxy. */
  store: Store;
  accounts: TestAccount[];
  /** Cookie of an account that is signed in to the dashboard. */
  cookie: string;
  /** The version in which nodes are started, as the folder of its source. */
  version: { source: string };
  logs(): string;
  untilReady(): Promise<void>;
  close(): Promise<void>;
};

type NodeOptions = { port: number; proxy: PostgresProxy; dataDir: string; redisUrl: string; publicUrl: string; version: Installation["version"] };

async function openNode(name: string, options: NodeOptions): Promise<ClusterNode> {
  const url = `http://127.0.0.1:${options.port}`;
  const start = () =>
    startService({
      databaseUrl: options.proxy.url,
      redisUrl: options.redisUrl,
      dataDir: options.dataDir,
      program: join(options.version.source, "..", "test", "faults", "rig", "rigged-node.ts"),
      env: { PORT: String(options.port), PUBLIC_URL: options.publicUrl, TRUST_PROXY: "127.0.0.1/32", LOG_LEVEL: "warn" },
    });
  const past: TestService[] = [];
  async function ask(question: object): Promise<unknown> {
    const { child } = node.service;
    const answered = once(child, "message");
    child.send(question);
    const [answer] = await answered;
    return answer;
  }
  const node: ClusterNode = {
    name,
    url,
    proxy: options.proxy,
    service: await start(),
    logs: () => [...past, node.service].map((service) => service.logs()).join("\n"),
    async start() {
      past.push(node.service);
      node.service = await start();
    },
    isReady: () => send({ url }, "/health/ready").then(({ status }) => status === 200, () => false),
    async setClock(aheadMs) {
      await ask({ aheadMs });
    },
    measureMemory: () => ask({ measure: true }) as ReturnType<ClusterNode["measureMemory"]>,
  };
  return node;
}

/** One campaign that is soon exhausted and one that never is: callers always get an ad, and a budget is reached. */
async function addCampaigns(store: Store): Promise<void> {
  await makeCampaign(store, { bid_micro: 300_000, budget_micro: 4_000_000 });
  await makeCampaign(store, { bid_micro: 200_000, budget_micro: 1_000_000_000_000, daily_budget_micro: 500_000_000_000 });
}

export async function openInstallation(): Promise<Installation> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).toReversed()) await each();
  };
  try {
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    closers.push(() => postgres.stop());
    const [databaseUrl, dataDir] = [await postgres.newDatabase(), makeTestFolder()];
    const { store } = await openStore({ databaseUrl, dataDir }, { nowMs: Date.now(), onConnectionError: () => {} });
    closers.push(() => store.close());
    const accounts: TestAccount[] = [];
    for (let made = 0; made < accountCount; made += 1) accounts.push(await makeAccount(store, { tier: vastTier }));
    await addCampaigns(store);

    const version = { source: ownSource };
    const [nginxPort, ...nodePorts] = await Promise.all(Array.from({ length: nodeCount + 1 }, findFreePort));
    const publicUrl = `http://127.0.0.1:${nginxPort}`;
    const opened = await Promise.allSettled(
      nodePorts.map(async (port, index) => {
        // The last node's proxy hits commits of clicks, the others' hit charges.
        const proxy = await startPostgresProxy(databaseUrl, index === nodeCount - 1 ? "commit_of_clicks" : "charge");
        closers.push(() => proxy.close());
        return openNode(`node-${index + 1}`, { port, proxy, dataDir, redisUrl: redis.url, publicUrl, version });
      }),
    );
    const nodes = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    closers.push(() => Promise.all(nodes.map(({ service }) => service.kill9())));
    const failed = opened.find((each) => each.status === "rejected");
    if (failed) throw failed.reason as Error;
    const nginx = await startNginx({ port: nginxPort!, nodePorts });
    closers.push(() => nginx.stop());
    const untilReady = () =>
      waitUntil(async () => (await Promise.all(nodes.map((node) => node.isReady()))).every(Boolean), "every node is ready", readyMsMax);
    await untilReady();
    const browser = await signIn(nginx, { ...accounts[0]!, store });
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const installation: Installation = {
      url: nginx.url,
      nodes,
      postgres,
      redis,
      nginx,
      databaseUrl,
      dataDir,
      store,
      accounts,
      cookie,
      version,
      logs: () => nodes.map((node) => node.logs()).join("\n"),
      untilReady,
      close,
    };
    closers.push(() => installation.redis.stop());
    return installation;
  } catch (error) {
    await close();
    throw error;
  }
}
