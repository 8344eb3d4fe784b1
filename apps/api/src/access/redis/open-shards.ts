import type { Redis } from "ioredis";
import { readPlace } from "./cluster-slots.ts";
import { openCluster } from "./open-cluster.ts";
import { openClusterNode, openRedis, usualWaits } from "./open-redis.ts";
import { readRedisUrl, type RedisAddress } from "./redis-url.ts";
import { createSingleShard, type RedisShards } from "./shards.ts";

/** Of a setting that was checked before. */
export function addressOf(url: string): RedisAddress {
  const address = readRedisUrl(url);
  if (typeof address === "string") throw new Error(`REDIS_URL ${address}`);
  return address;
}

/** What REDIS_URL names, for commands that fail fast and are never sent twice. Never waits for a Redis that is down. */
export async function openShards(url: string, waits = usualWaits): Promise<RedisShards> {
  const address = addressOf(url);
  return address.mode === "cluster" ? openCluster(address, waits) : createSingleShard(await openRedis(address, waits));
}

/** Opens clients to subscribe with: in a Cluster each at another server, as all of them pass on what is published at any. */
export function openSubscriber(address: RedisAddress, shards: RedisShards): () => Promise<Redis> {
  let turn = 0;
  return () => {
    if (address.mode !== "cluster") return openRedis(address);
    const places = shards.all().flatMap((shard) => shard.place() ?? []);
    const endpoints = places.length > 0 ? places.map(readPlace) : address.seeds;
    turn += 1;
    return openClusterNode(address, endpoints[turn % endpoints.length]!);
  };
}
