import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { closeRedis } from "./open-redis.ts";

const checkMs = 1_000;
const retryMsMin = 100;
const retryMsMax = 2_000;

/**
 * Stays subscribed to a channel until stopped: when the connection is lost, or the server does not answer for a second, at
 * the next one that `open` gives. Messages of the time in between are lost.
 */
export function keepSubscribed(options: { channel: string; open: () => Promise<Redis>; onMessage: (message: string) => void }): { stop(): void } {
  const { channel, open, onMessage } = options;
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;

  /** Returns early when stopped. */
  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);

  /** Returns when the subscription is lost: whether there was one. */
  async function followOnce(): Promise<boolean> {
    const redis = await open();
    let subscribed = false;
    try {
      redis.on("message", (_channel, message) => onMessage(message));
      await redis.subscribe(channel);
      subscribed = true;
      while (!isStopped()) {
        await rest(checkMs);
        if (!isStopped()) await redis.ping();
      }
    } catch {
      // The next attempt follows; who listens has a slower way to learn the same.
    } finally {
      closeRedis(redis);
    }
    return subscribed;
  }

  async function follow(): Promise<void> {
    let waitMs = retryMsMin;
    while (!isStopped()) {
      waitMs = (await followOnce()) ? retryMsMin : Math.min(retryMsMax, waitMs * 2);
      await rest(waitMs);
    }
  }

  void follow();
  return { stop: () => stopping.abort() };
}
