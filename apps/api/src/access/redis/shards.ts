import type { Redis } from "ioredis";
import { closeRedis } from "./open-redis.ts";

/** What counts a part of the keys: a primary, and whoever takes its place. */
export type Shard = {
  /** The client of its primary: another one after a failover of a Cluster. Rejects commands while there is none. */
  redis(): Redis;
  /** One of its slots, for probes. */
  slot(): number;
  /** Where its primary is, for logs. Undefined where there is only one shard. */
  place(): string | undefined;
};

export type RedisShards = {
  /** Keys of one script run must share it. 0 where there is only one shard. */
  slotOf(key: string): number;
  shardOf(slot: number): Shard;
  all(): readonly Shard[];
  /**
   * `listener` is called when the primary of a shard may lack what was counted before: it has a new connection, is another
   * server, or was given slots of another shard.
   */
  onRenewed(listener: (shard: Shard) => void): () => void;
  /** After a MOVED or a failure: resolves when the primaries have been asked for. `askFirst` (host:port) is said to know. */
  relearn(askFirst?: string): Promise<void>;
  /** A client of a server that keys are being moved to. */
  clientAt(place: string): Promise<Redis>;
  close(): void;
};

/** Whoever is told of renewed shards. */
export function createListeners(): { add: RedisShards["onRenewed"]; tell: (shard: Shard) => void } {
  const listeners = new Set<(shard: Shard) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (shard) => {
      for (const listener of listeners) listener(shard);
    },
  };
}

/** One server, or the primary that Sentinels name: the client finds it by itself. */
export function createSingleShard(redis: Redis): RedisShards {
  const shard: Shard = { redis: () => redis, slot: () => 0, place: () => undefined };
  const listeners = createListeners();
  const tell = () => listeners.tell(shard);
  redis.on("ready", tell);
  return {
    slotOf: () => 0,
    shardOf: () => shard,
    all: () => [shard],
    onRenewed: listeners.add,
    relearn: async () => {},
    clientAt: async () => redis,
    close() {
      redis.off("ready", tell);
      closeRedis(redis);
    },
  };
}
