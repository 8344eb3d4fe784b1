import { Redis } from "ioredis";
import { type KeyChangeChannel, keyChangesChannel } from "./follow-key-changes.ts";

const reconnectMsMax = 2_000;

/** Redis pub/sub between nodes. It only speeds up revocations, so an unreachable Redis is never an error. */
export async function openKeyChangeChannel(redisUrl: string): Promise<KeyChangeChannel & { close(): Promise<void> }> {
  const options = {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt: number) => Math.min(100 * 2 ** Math.min(attempt, 10), reconnectMsMax),
  };
  const publisher = new Redis(redisUrl, options);
  const subscriber = new Redis(redisUrl, options);
  // The limiter already reports an unreachable Redis.
  for (const client of [publisher, subscriber]) client.on("error", () => {});
  await Promise.allSettled([publisher.connect(), subscriber.connect()]);
  return {
    publish(subject) {
      publisher.publish(keyChangesChannel, subject).catch(() => {});
    },
    subscribe(onSubject) {
      subscriber.on("message", (_channel, subject) => onSubject(subject));
      const subscribe = () => void subscriber.subscribe(keyChangesChannel).catch(() => {});
      subscriber.on("ready", subscribe);
      if (subscriber.status === "ready") subscribe();
    },
    async close() {
      // Sends pending announcements first.
      await publisher.quit().catch(() => {});
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
