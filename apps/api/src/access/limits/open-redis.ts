import { Redis } from "ioredis";

const commandTimeoutMs = 250;
const connectTimeoutMs = 2_000;
/** A peer that vanished without closing would otherwise hold the connection for minutes. */
const silenceTimeoutMs = 2_000;
const reconnectMsMin = 50;
const reconnectMsMax = 1_000;

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
    commandTimeout: commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    retryStrategy: (attempt) => Math.min(reconnectMsMax, reconnectMsMin * 2 ** Math.min(attempt, 10)),
    // After a failover the old primary refuses writes: the address may lead to the new one.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
  });
  // Without a listener ioredis prints; who uses the client learns of the failure from their own command.
  redis.on("error", () => undefined);
  await redis.connect().catch(() => undefined);
  return redis;
}
