import { Redis } from "ioredis";

const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;
/** A peer that vanished without closing would otherwise hold the connection for minutes. */
const SILENCE_TIMEOUT_MS = 2_000;
const RECONNECT_MS_MIN = 50;
const RECONNECT_MS_MAX = 1_000;

/**
 * A client for callers that have something better to do than wait: commands fail at once while there is no
 * connection, and are never sent twice. Resolves when connected, or when a first attempt has failed: it goes on
 * trying in the background, so that a service can start while Redis is away. Never rejects, never crashes.
 */
export async function openRedis(url: string): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    // What one turn of the event loop sends goes in one write: twice the calls when many subjects call at once.
    enableAutoPipelining: true,
    // Unanswered commands fail when the connection does; sending them again could take a call twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(RECONNECT_MS_MAX, RECONNECT_MS_MIN * 2 ** Math.min(attempt, 10)),
    // After a failover the old primary refuses writes: the address may lead to the new one.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
  });
  // Without a listener ioredis prints; who uses the client learns of the failure from their own command.
  redis.on("error", () => undefined);
  await redis.connect().catch(() => undefined);
  return redis;
}
