import { setTimeout as sleep } from "node:timers/promises";
import { Redis, type RedisOptions } from "ioredis";
import type { RedisAddress } from "./redis-url.ts";

/** How long a client waits for a connection, for an answer, and for any bytes before it connects again. Longer in tests. */
export type RedisWaits = { connectMs: number; commandMs: number; silenceMs: number };

/** A peer that vanished without closing would otherwise block the connection for minutes. */
export const usualWaits: RedisWaits = { connectMs: 2_000, commandMs: 250, silenceMs: 2_000 };
const reconnectMsMin = 50;
const reconnectMsMax = 1_000;
/** How often Sentinels are asked who the primary is. */
const watchMs = 1_000;

/** Replies have their usual shapes. */
type ClientOptions = Omit<RedisOptions, "replyMapping">;

const failFast = ({ connectMs, commandMs, silenceMs }: RedisWaits) =>
  ({
    lazyConnect: true,
    enableOfflineQueue: false,
    // Unanswered commands fail with the connection; resending them could count a call twice.
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandMs,
    connectTimeout: connectMs,
    socketTimeout: silenceMs,
    // After a failover the old primary refuses writes; a new connection may reach the new one.
    reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
  }) satisfies ClientOptions;

/** What else ends with a client. */
const closers = new WeakMap<Redis, () => void>();

/** ioredis alone would connect once more if it is closed between two attempts. */
export function closeRedis(redis: Redis): void {
  closers.get(redis)?.();
  redis.disconnect();
}

/** A client that is not connected yet. `connect` resolves when it is, or when that has failed or takes long; never rejects. */
function newClient(given: ClientOptions & { connectTimeout: number }, url?: string): { redis: Redis; connect(): Promise<void> } {
  let isClosed = false;
  const retryStrategy = (attempt: number) => (isClosed ? null : Math.min(reconnectMsMax, reconnectMsMin * 2 ** Math.min(attempt, 10)));
  // Without a number ioredis gives up for good when it has come to the end of the list of Sentinels, even of healthy ones.
  const options = { ...given, retryStrategy, sentinelRetryStrategy: retryStrategy };
  const redis = url === undefined ? new Redis(options) : new Redis(url, options);
  closers.set(redis, () => {
    isClosed = true;
  });
  // Without a listener ioredis prints errors; callers see the failure of their own command.
  redis.on("error", () => undefined);
  const tried = () => sleep(given.connectTimeout, undefined, { ref: false });
  return { redis, connect: () => Promise.race([redis.connect().catch(() => undefined), tried()]) };
}

type SentinelAddress = Extract<RedisAddress, { mode: "sentinel" }>;
type ClusterAddress = Extract<RedisAddress, { mode: "cluster" }>;

/**
 * Sentinels may depose a primary that this client still reaches: as soon as one of them names another, the client
 * connects again, and so asks them all. Returns what ends the watch.
 */
function watchSentinels(redis: Redis, { sentinels, primaryName, tls, sentinelCredentials }: SentinelAddress): () => void {
  const clients = sentinels.map(({ host, port }) => newClient({ ...failFast(usualWaits), ...sentinelCredentials, ...(tls && { tls: {} }), host, port, enableReadyCheck: false }));
  for (const { connect } of clients) void connect();
  const named = new Map<Redis, string>();
  const ask = async (sentinel: Redis): Promise<void> => {
    const answer = await sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", primaryName).catch(() => undefined);
    if (!Array.isArray(answer)) return;
    const now = answer.join(":");
    const before = named.get(sentinel);
    named.set(sentinel, now);
    const isConnected = `${redis.stream?.remoteAddress}:${redis.stream?.remotePort}` === now;
    if (before !== undefined && before !== now && redis.status === "ready" && !isConnected) redis.disconnect(true);
  };
  const timer = setInterval(() => {
    for (const { redis: sentinel } of clients) void ask(sentinel);
  }, watchMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const { redis: sentinel } of clients) closeRedis(sentinel);
  };
}

const sentinelOptions = ({ sentinels, primaryName, db, tls, sentinelCredentials, username, password }: SentinelAddress, { commandMs }: RedisWaits): ClientOptions => ({
  sentinels,
  name: primaryName,
  db,
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
  ...(sentinelCredentials.username !== undefined && { sentinelUsername: sentinelCredentials.username }),
  ...(sentinelCredentials.password !== undefined && { sentinelPassword: sentinelCredentials.password }),
  ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  updateSentinels: false,
  sentinelCommandTimeout: commandMs,
});

/**
 * A client that fails fast: without a connection commands fail at once, and no command is sent twice. Resolves when
 * connected or when the first attempt has failed; reconnecting continues in the background, so that the service can
 * start while Redis is down. Never rejects. With Sentinels it is connected to the primary that they name.
 */
export async function openRedis(address: Exclude<RedisAddress, ClusterAddress>, waits = usualWaits): Promise<Redis> {
  const { redis, connect } = address.mode === "single" ? newClient(failFast(waits), address.url) : newClient({ ...sentinelOptions(address, waits), ...failFast(waits) });
  if (address.mode === "sentinel") {
    const [stop, close] = [watchSentinels(redis, address), closers.get(redis)!];
    closers.set(redis, () => {
      stop();
      close();
    });
  }
  await connect();
  return redis;
}

/** A client of one server of a Cluster, with the same properties. */
export async function openClusterNode({ tls, username, password }: ClusterAddress, endpoint: { host: string; port: number }, waits = usualWaits): Promise<Redis> {
  const { redis, connect } = newClient({
    ...failFast(waits),
    ...endpoint,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: {} }),
  });
  await connect();
  return redis;
}
