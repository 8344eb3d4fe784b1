/** Redis servers that replace each other: under Sentinels, and as a Cluster. Real processes on loopback. */
import { Redis } from "ioredis";
import { findFreePort } from "../find-free-port.ts";
import { waitUntil } from "../send.ts";
import { makeTestFolder } from "../start-service.ts";
import { type RedisServer, startRedis } from "./start-redis.ts";

const sentinelCount = 3;
const shardCount = 3;
const slotCount = 16_384;
/** A group is ready when its members know each other. */
const readyMsMax = 60_000;

/** Asks one server, on a connection of its own. */
export async function askRedis(port: number, ...command: [string, ...(string | number)[]]): Promise<unknown> {
  const redis = new Redis({ port, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0, commandTimeout: 1_000, enableReadyCheck: false });
  redis.on("error", () => undefined);
  try {
    await redis.connect();
    const [name, ...values] = command;
    return await redis.call(name, ...values);
  } finally {
    redis.disconnect();
  }
}

/** Undefined while it does not answer. */
export const tryRedis = (port: number, ...command: [string, ...(string | number)[]]): Promise<unknown> => askRedis(port, ...command).catch(() => undefined);

const stopAll = async (servers: readonly RedisServer[]): Promise<void> => {
  await Promise.all(servers.map((server) => server.stop()));
};

export type SentinelGroup = {
  url: string;
  /** By their ports; the first was the first primary. */
  servers: RedisServer[];
  sentinels: RedisServer[];
  /** The one that the Sentinels name, if a majority of them does. */
  primary(): Promise<RedisServer | undefined>;
  /** Starts a server that was killed again, as a supervisor would: empty, at its port. */
  restart(server: RedisServer): Promise<void>;
  stop(): Promise<void>;
};

/** A primary with one replica, and three Sentinels that replace it after a second of silence. */
export async function startSentinelGroup({ downAfterMs = 1_000 }: { downAfterMs?: number } = {}): Promise<SentinelGroup> {
  const primary = await startRedis();
  const replicaOptions = { options: ["--replicaof", "127.0.0.1", String(primary.port), "--repl-diskless-sync-delay", "0", "--repl-timeout", "5"] };
  const replica = await startRedis(undefined, replicaOptions);
  const sentinel = [
    `sentinel monitor main 127.0.0.1 ${primary.port} 2`,
    `sentinel down-after-milliseconds main ${downAfterMs}`,
    "sentinel failover-timeout main 4000",
    "",
  ].join("\n");
  const sentinels = await Promise.all(Array.from({ length: sentinelCount }, () => startRedis(undefined, { sentinel })));
  const servers = [primary, replica];

  const group: SentinelGroup = {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",")}/main`,
    servers,
    sentinels,
    async primary() {
      const named = await Promise.all(sentinels.map(({ port }) => tryRedis(port, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main")));
      return servers.find(({ port }) => named.filter((answer) => Array.isArray(answer) && answer[1] === String(port)).length > sentinelCount / 2);
    },
    async restart(server) {
      await server.stop();
      servers[servers.indexOf(server)] = await startRedis(server.port, replicaOptions);
    },
    stop: () => stopAll([...sentinels, ...servers]),
  };
  await waitUntil(async () => {
    const known = await Promise.all(sentinels.map(({ port }) => tryRedis(port, "SENTINEL", "MASTER", "main")));
    const valueOf = (answer: unknown, name: string) => (Array.isArray(answer) ? Number(answer[answer.indexOf(name) + 1]) : 0);
    const isLinked = String(await tryRedis(replica.port, "INFO", "replication")).includes("master_link_status:up");
    return isLinked && known.every((answer) => valueOf(answer, "num-other-sentinels") === sentinelCount - 1 && valueOf(answer, "num-slaves") === 1);
  }, "the Sentinels know each other and the replica", readyMsMax);
  return group;
}

export type RedisClusterGroup = {
  url: string;
  /** Each with its replica, as at the start. */
  shards: { primary: RedisServer; replica: RedisServer; first: number; last: number }[];
  servers(): RedisServer[];
  /** Starts a server that was killed again, as a supervisor would: at its port, empty, and with what it knew of the Cluster. */
  restart(server: RedisServer): Promise<void>;
  stop(): Promise<void>;
};

const clusterOptions = Object.entries({
  "cluster-enabled": "yes",
  "cluster-require-full-coverage": "no",
  "cluster-config-file": "nodes.conf",
  "cluster-replica-validity-factor": "0",
  "repl-diskless-sync-delay": "0",
  "repl-timeout": "5",
}).flatMap(([name, value]) => [`--${name}`, value]);

/** Three primaries, each with a replica that takes over when it is silent. */
export async function startRedisCluster({ nodeTimeoutMs = 1_500 }: { nodeTimeoutMs?: number } = {}): Promise<RedisClusterGroup> {
  const busPorts = new Map<number, { busPort: number; folder: string }>();
  const start = async (port: number): Promise<RedisServer> => {
    const own = busPorts.get(port) ?? { busPort: await findFreePort(), folder: makeTestFolder() };
    busPorts.set(port, own);
    return startRedis(port, { folder: own.folder, options: [...clusterOptions, "--cluster-node-timeout", String(nodeTimeoutMs), "--cluster-port", String(own.busPort)] });
  };
  const servers: RedisServer[] = [];
  for (let made = 0; made < 2 * shardCount; made += 1) servers.push(await start(await findFreePort()));
  const shards = Array.from({ length: shardCount }, (_, index) => ({
    primary: servers[index]!,
    replica: servers[shardCount + index]!,
    first: Math.ceil((slotCount * index) / shardCount),
    last: Math.ceil((slotCount * (index + 1)) / shardCount) - 1,
  }));
  for (const { primary, first, last } of shards) await askRedis(primary.port, "CLUSTER", "ADDSLOTSRANGE", first, last);
  for (const [index, { port }] of servers.entries()) await askRedis(port, "CLUSTER", "SET-CONFIG-EPOCH", index + 1);
  for (const { port } of servers.slice(1)) await askRedis(servers[0]!.port, "CLUSTER", "MEET", "127.0.0.1", port, busPorts.get(port)!.busPort);
  const everyAnswer = async (command: [string, ...string[]], holds: (answer: string) => boolean): Promise<boolean> =>
    (await Promise.all(servers.map(({ port }) => tryRedis(port, ...command)))).every((answer) => holds(String(answer)));
  await waitUntil(() => everyAnswer(["CLUSTER", "INFO"], (info) => info.includes(`cluster_known_nodes:${servers.length}`)), "the servers know each other", readyMsMax);
  for (const { primary, replica } of shards) {
    const id = String(await askRedis(primary.port, "CLUSTER", "MYID"));
    await waitUntil(async () => (await tryRedis(replica.port, "CLUSTER", "REPLICATE", id)) === "OK", "the replica knows its primary", readyMsMax);
  }
  await waitUntil(async () => {
    const links = await Promise.all(shards.map(({ replica }) => tryRedis(replica.port, "INFO", "replication")));
    const areLinked = links.every((info) => String(info).includes("master_link_status:up"));
    const isKnown = await everyAnswer(["CLUSTER", "NODES"], (nodes) => nodes.split("slave").length - 1 === shardCount);
    return areLinked && isKnown && (await everyAnswer(["CLUSTER", "INFO"], (info) => info.includes("cluster_state:ok")));
  }, "the Cluster is complete", readyMsMax);
  return {
    url: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(",")}`,
    shards,
    servers: () => servers,
    async restart(server) {
      await server.stop();
      servers[servers.indexOf(server)] = await start(server.port);
    },
    stop: () => stopAll(servers),
  };
}
