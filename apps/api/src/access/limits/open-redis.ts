import { Redis } from "ioredis";

const commandTimeoutMs = 250;
const connectTimeoutMs = 2_000;
/** A peer that vanished without closing would otherwise block the connection for minutes. */
const silenceTimeoutMs = 2_000;
const reconnectMsMin = 50;
const reconnectMsMax = 1_000;

/**
 * A client that fails fast: without a connection commands fail at once, and no command is sent twice. Resolves when
 * connected or when the first attempt has failed; reconnecting continues in the background, so that the service can
 * start while Redis is down. Never rejects.
 */
export async function openRedis(url: string): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    // Unanswered commands fail with the connection; resending them could count a call twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    retryStrategy: (attempt) => Math.min(reconnectMsMax, reconnectMsMin * 2 ** Math.min(attempt, 10)),
    // After a failover the old primary refuses writes; a new connection may reach the new one.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
  });
  // Without a listener ioredis prints errors; callers see the failure of their own command.
  redis.on("error", () => undefined);
  await redis.connect().catch(() => undefined);
  return redis;
}
