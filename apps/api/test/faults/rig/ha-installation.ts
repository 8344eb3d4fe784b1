import { setTimeout as sleep } from "node:timers/promises";
import { type SentinelGroup, startSentinelGroup } from "../../access/start-redis-group.ts";
import { makeCampaign } from "../../ads/serving/make-campaign.ts";
import { openPostgres } from "../../../src/store/open-postgres.ts";
import type { Store } from "../../../src/store/store.ts";
import { findFreePort } from "../../find-free-port.ts";
import { makeAccount, type TestAccount, vastTier } from "../../make-account.ts";
import { signIn } from "../../people/browser.ts";
import { send, waitUntil } from "../../send.ts";
import { makeTestFolder, startService, type TestService } from "../../start-service.ts";
import { type Cluster, openCluster } from "./ha-cluster.ts";
import { type Nginx, startNginx } from "./start-nginx.ts";

const nodeCount = 2;
const accountCount = 4;
const readyMsMax = 90_000;
const restartPauseMs = 1_000;

/** One node, which keeps its port through all restarts. */
export type HaNode = {
  name: string;
  service: TestService;
  logs(): string;
  start(): Promise<void>;
  isReady(): Promise<boolean>;
};

/** Two nodes of two processes behind nginx, on a pair of PostgreSQL under Patroni, and a pair of Redis under Sentinels. */
export type HaInstallation = {
  /** URL of nginx, for callers. */
  url: string;
  cluster: Cluster;
  nodes: HaNode[];
  redis: SentinelGroup;
  nginx: Nginx;
  /** On whichever member is the primary, past all ways. */
  store: Store;
  accounts: TestAccount[];
  cookie: string;
  logs(): string;
  untilReady(): Promise<void>;
  close(): Promise<void>;
};

async function openNode(name: string, settings: { port: number; databaseUrl: string; redisUrl: string; publicUrl: string }): Promise<HaNode> {
  const { port, databaseUrl, redisUrl, publicUrl } = settings;
  const dataDir = makeTestFolder();
  const startOnce = () => startService({ databaseUrl, redisUrl, dataDir, env: { WORKERS: "2", PORT: String(port), PUBLIC_URL: publicUrl, TRUST_PROXY: "127.0.0.1/32", LOG_LEVEL: "warn" } });
  /** A node exits if it finds no database when it starts. Whoever supervises it starts it again. */
  async function start(): Promise<TestService> {
    const deadline = performance.now() + readyMsMax;
    while (true) {
      try {
        return await startOnce();
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(restartPauseMs);
      }
    }
  }
  const past: TestService[] = [];
  const node: HaNode = {
    name,
    service: await start(),
    logs: () => [...past, node.service].map((service) => service.logs()).join("\n"),
    async start() {
      past.push(node.service);
      node.service = await start();
    },
    isReady: () => send({ url: `http://127.0.0.1:${port}` }, "/health/ready").then(({ status }) => status === 200, () => false),
  };
  return node;
}

/** One campaign that is soon exhausted and one that never is: callers always get an ad, and a budget is reached. */
async function prepare(store: Store): Promise<TestAccount[]> {
  await makeCampaign(store, { bid_micro: 300_000, budget_micro: 4_000_000 });
  await makeCampaign(store, { bid_micro: 200_000, budget_micro: 1_000_000_000_000, daily_budget_micro: 500_000_000_000 });
  const accounts: TestAccount[] = [];
  for (let made = 0; made < accountCount; made += 1) accounts.push(await makeAccount(store, { tier: vastTier }));
  return accounts;
}

export async function openHaInstallation(): Promise<HaInstallation> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).toReversed()) await each();
  };
  try {
    const redisStarts = startSentinelGroup().then((group) => {
      closers.push(() => group.stop());
      return group;
    });
    const clusterOpens = openCluster().then((pair) => {
      closers.push(() => pair.close());
      return pair;
    });
    // Both, before either failure ends this: what has started must be closed.
    await Promise.allSettled([redisStarts, clusterOpens]);
    const [redis, cluster] = await Promise.all([redisStarts, clusterOpens]);
    const store = openPostgres(cluster.directUrl, () => {});
    closers.push(() => store.close());
    const accounts = await prepare(store);
    const [nginxPort, ...nodePorts] = await Promise.all(Array.from({ length: nodeCount + 1 }, findFreePort));
    const shared = { databaseUrl: cluster.databaseUrl, redisUrl: redis.url, publicUrl: `http://127.0.0.1:${nginxPort}` };
    const opened = await Promise.allSettled(nodePorts.map((port, index) => openNode(`node-${index + 1}`, { ...shared, port })));
    const nodes = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    closers.push(() => Promise.all(nodes.map(({ service }) => service.kill9())));
    const failed = opened.find((each) => each.status === "rejected");
    if (failed) throw failed.reason as Error;
    const nginx = await startNginx({ port: nginxPort!, nodePorts });
    closers.push(() => nginx.stop());
    const untilReady = () => waitUntil(async () => (await Promise.all(nodes.map((node) => node.isReady()))).every(Boolean), "every node is ready", readyMsMax);
    await untilReady();
    const browser = await signIn(nginx, { ...accounts[0]!, store });
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const logs = () => nodes.map((node) => node.logs()).join("\n");
    return { url: nginx.url, cluster, nodes, redis, nginx, store, accounts, cookie, logs, untilReady, close };
  } catch (error) {
    await close();
    throw error;
  }
}
