import { readRedirection } from "../redis/cluster-slots.ts";
import type { RedisShards, Shard } from "../redis/shards.ts";
import { type Take, type Taken, takeAsking, takeFromRedis } from "./take-script.ts";

/**
 * One run of the script at the shard. While the slot is being moved to another shard, subjects are taken one by one, at the
 * server that has the subject's key. Nothing is taken twice: a server that redirects has run nothing.
 */
export async function takeFromShard(shards: RedisShards, shard: Shard, takes: readonly Take[]): Promise<Taken[]> {
  try {
    return await takeFromRedis(shard.redis(), takes);
  } catch (error) {
    const redirection = readRedirection(error);
    if (redirection === undefined || (redirection !== "TRYAGAIN" && redirection.kind === "MOVED")) throw error;
    if (takes.length > 1) return (await Promise.all(takes.map((take) => takeFromShard(shards, shard, [take])))).flat();
    if (redirection === "TRYAGAIN") throw error;
    return takeAsking(await shards.clientAt(redirection.place), takes);
  }
}
