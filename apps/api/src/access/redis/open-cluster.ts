import type { Redis } from "ioredis";
import { placeOf, readPlace, readSlots, type SlotMap } from "./cluster-slots.ts";
import { keySlot, slotCount } from "./key-slot.ts";
import { closeRedis, openClusterNode, usualWaits } from "./open-redis.ts";
import type { RedisAddress } from "./redis-url.ts";
import { createListeners, type RedisShards, type Shard } from "./shards.ts";

/** A failover is noticed within this time even if no command meets it. */
const relearnMs = 1_000;
/** Clients of servers without slots, which keys are moved to, are closed when unused for this long. */
const unusedMsMax = 30_000;

type OpenShard = Shard & { client: Redis; at: string; slots: number[] };

/**
 * The shards of a Redis Cluster, with a client for each primary that has the properties of `openRedis`: ioredis' own Cluster
 * client queues and resends commands, and has one state for all shards. A shard is what stays when a replica takes over:
 * the slots. Resolves when the Cluster is known, or when no seed answered; it is looked for until closed. Never rejects.
 */
export async function openCluster(address: Extract<RedisAddress, { mode: "cluster" }>, waits = usualWaits): Promise<RedisShards> {
  const clients = new Map<string, { redis: Promise<Redis>; usedMs: number }>();
  const listeners = createListeners();
  const owners: (OpenShard | undefined)[] = Array.from({ length: slotCount });
  let shards: OpenShard[] = [];
  let learning: Promise<void> | undefined;
  let closed = false;
  let turn = 0;

  function clientAt(place: string): Promise<Redis> {
    const known = clients.get(place) ?? { redis: openClusterNode(address, readPlace(place), waits), usedMs: 0 };
    known.usedMs = performance.now();
    clients.set(place, known);
    return known.redis;
  }

  /** Stands for slots of which no primary is known: every command fails. */
  const nobody: Shard = {
    redis() {
      throw new Error("no primary of the Redis Cluster is known for this slot");
    },
    slot: () => Math.max(0, owners.indexOf(undefined)),
    place: () => undefined,
  };

  function watch(client: Redis): void {
    client.on("ready", () => {
      for (const shard of shards) if (shard.client === client) listeners.tell(shard);
    });
  }

  function newShard(client: Redis, at: string): OpenShard {
    const shard: OpenShard = {
      client,
      at,
      slots: [],
      redis: () => shard.client,
      slot: () => shard.slots[0]!,
      place: () => shard.at,
    };
    return shard;
  }

  /** A primary that is new here has taken over the shard of its first slot if that one's primary has no slots any more. */
  function shardAt(place: string, client: Redis, firstSlot: number, map: SlotMap): OpenShard {
    const same = shards.find(({ at }) => at === place);
    if (same) return same;
    const former = owners[firstSlot];
    if (!former || map.has(former.at)) return newShard(client, place);
    former.at = place;
    former.client = client;
    return former;
  }

  async function apply(map: SlotMap): Promise<void> {
    const opened = await Promise.all([...map].map(async ([place]) => [place, await clientAt(place)] as const));
    if (closed) return;
    const before = { owners: [...owners], clients: new Map(shards.map((shard) => [shard, shard.client])) };
    const next = opened.map(([place, client]) => ({ shard: shardAt(place, client, map.get(place)!.ranges[0]![0], map), ranges: map.get(place)!.ranges }));
    owners.fill(undefined);
    for (const { shard, ranges } of next) {
      shard.slots = ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
      for (const slot of shard.slots) owners[slot] = shard;
    }
    shards = next.map(({ shard }) => shard);
    for (const shard of shards) {
      const isOther = before.clients.get(shard) !== shard.client;
      const hasGained = shard.slots.some((slot) => before.owners[slot] !== shard);
      if (isOther || hasGained) listeners.tell(shard);
      if (isOther) watch(shard.client);
    }
    await closeUnused();
  }

  async function closeUnused(): Promise<void> {
    for (const [place, { redis, usedMs }] of clients) {
      if (performance.now() - usedMs < unusedMsMax || shards.some(({ at }) => at === place)) continue;
      clients.delete(place);
      closeRedis(await redis);
    }
  }

  /** False if it did not answer as a member of a Cluster does. */
  async function askAt(place: string): Promise<boolean> {
    const redis = await clientAt(place);
    const map = await redis.cluster("SLOTS").then((reply) => readSlots(reply, readPlace(place)), () => undefined);
    if (map) await apply(map);
    return map !== undefined;
  }

  /** Another one every time: one that is cut off from the others may have an old map. */
  async function learn(askFirst: string | undefined): Promise<void> {
    turn += 1;
    const known = [...new Set([...shards.map(({ at }) => at), ...address.seeds.map(placeOf)])];
    const first = turn % known.length;
    const places = [...(askFirst === undefined ? [] : [askFirst]), ...known.slice(first), ...known.slice(0, first)];
    for (const place of places) if (closed || (await askAt(place))) return;
  }

  const relearn = (askFirst?: string): Promise<void> =>
    (learning ??= learn(askFirst).finally(() => {
      learning = undefined;
    }));

  await relearn();
  const timer = setInterval(() => void relearn(), relearnMs);
  timer.unref();
  return {
    slotOf: keySlot,
    shardOf: (slot) => owners[slot] ?? nobody,
    all: () => (owners.includes(undefined) ? [...shards, nobody] : shards),
    onRenewed: listeners.add,
    relearn,
    clientAt,
    close() {
      closed = true;
      clearInterval(timer);
      for (const { redis } of clients.values()) void redis.then(closeRedis);
    },
  };
}
