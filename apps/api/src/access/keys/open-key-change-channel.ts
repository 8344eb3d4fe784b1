import { addressOf, openShards, openSubscriber } from "../redis/open-shards.ts";
import { keepSubscribed } from "../redis/keep-subscribed.ts";
import { type KeyChangeChannel, keyChangesChannel } from "./follow-key-changes.ts";

/** Redis pub/sub between nodes. It only speeds up revocations, so an unreachable Redis is never an error. */
export async function openKeyChangeChannel(redisUrl: string): Promise<KeyChangeChannel & { close(): Promise<void> }> {
  const shards = await openShards(redisUrl);
  const announcements = new Set<Promise<unknown>>();
  const subscriptions: { stop(): void }[] = [];
  return {
    publish(subject) {
      // Any server of a Cluster passes messages on to all; one may be lost without knowing it, and hearing twice is harmless.
      for (const { redis } of shards.all()) {
        const sent = (async () => redis().publish(keyChangesChannel, subject))().catch(() => undefined);
        announcements.add(sent);
        void sent.then(() => announcements.delete(sent));
      }
    },
    subscribe(onSubject) {
      const open = openSubscriber(addressOf(redisUrl), shards);
      subscriptions.push(keepSubscribed({ channel: keyChangesChannel, open, onMessage: onSubject }));
    },
    async close() {
      // Pending announcements first; each fails by itself if Redis does not answer.
      await Promise.all(announcements);
      for (const subscription of subscriptions) subscription.stop();
      shards.close();
    },
  };
}
