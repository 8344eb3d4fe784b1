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

const nodeCount = 3;
const accountCount = 4;
const readyMsMax = 60_000;
const ownSource = new URL("../../../src/", import.meta.url).pathname;

/** One node, which keeps its port and its way to the database through all restarts. */
export type ClusterNode = {
  name: string;
  url: string;
  /** Between this node and PostgreSQL. */
  proxy: PostgresProxy;
  service: TestService;
  /** Everything that it has printed, in all its lives. */
  logs(): string;
  /** Starts it again, as a supervisor would, in the version that the installation is at. */
  start(): Promise<void>;
  isReady(): Promise<boolean>;
  /** Moves the clock of its machine. */
  setClock(aheadMs: number): Promise<void>;
};

/** Three nodes behind nginx, on PostgreSQL and Redis: every part a process of its own. */
export type Installation = {
  /** nginx: where callers go. */
  url: string;
  nodes: ClusterNode[];
  postgres: TestPostgres;
  redis: RedisServer;
  nginx: Nginx;
  databaseUrl: string;
  dataDir: string;
  /** Straight to PostgreSQL, past the proxies. */
  store: Store;
  accounts: TestAccount[];
  /** Of somebody who is signed in to the dashboard. */
  cookie: string;
  /** The version that nodes are started in, by where its source is. */
  version: { source: string };
  logs(): string;
  untilReady(): Promise<void>;
  close(): Promise<void>;
};

type NodePlace = { port: number; proxy: PostgresProxy; dataDir: string; redisUrl: string; publicUrl: string; version: Installation["version"] };

async function openNode(name: string, place: NodePlace): Promise<ClusterNode> {
  const url = `http://127.0.0.1:${place.port}`;
  const start = () =>
    startService({
      databaseUrl: place.proxy.url,
      redisUrl: place.redisUrl,
      dataDir: place.dataDir,
      program: join(place.version.source, "faults", "testing", "node-with-clock.ts"),
      env: { PORT: String(place.port), PUBLIC_URL: place.publicUrl, TRUST_PROXY: "127.0.0.1/32", LOG_LEVEL: "warn" },
    });
  const past: TestService[] = [];
  const node: ClusterNode = {
    name,
    url,
    proxy: place.proxy,
    service: await start(),
    logs: () => [...past, node.service].map((service) => service.logs()).join("\n"),
    async start() {
      past.push(node.service);
      node.service = await start();
    },
    isReady: () => send({ url }, "/health/ready").then(({ status }) => status === 200, () => false),
    async setClock(aheadMs) {
      const { child } = node.service;
      const heard = once(child, "message");
      child.send({ aheadMs });
      await heard;
    },
  };
  return node;
}

/** One that is soon spent, and one that nobody can spend: callers always get an ad, and budgets are met. */
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
    const nodes = await Promise.all(
      nodePorts.map(async (port, index) => {
        // The last node's clicks are what its proxy knows, the others' calls.
        const proxy = await startPostgresProxy(databaseUrl, index === nodeCount - 1 ? "commit_of_clicks" : "charge");
        closers.push(() => proxy.close());
        return openNode(`node-${index + 1}`, { port, proxy, dataDir, redisUrl: redis.url, publicUrl, version });
      }),
    );
    closers.push(() => Promise.all(nodes.map(({ service }) => service.kill9())));
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
