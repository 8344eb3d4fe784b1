import type { Mutant } from "./mutant.ts";

const groups = "apps/api/src/access/limits/redis-groups.test.ts";
const replica = "apps/api/test/store/report-replica.test.ts";
const replicaAge = "a replica is as new as the newest position of the primary that it has replayed";
const lostShard = "a lost shard leaves the limits of the others exact, its own at most once per node, and heals by itself";

/** Redis under Sentinels and as a Cluster, and reports from a replica. */
export const redisMutants: readonly Mutant[] = [
  {
    name: "a lost shard takes the calls of all shards along",
    file: "apps/api/src/access/limits/redis-limiter.ts",
    from: "const state = states.of(slot);\n    if (state.health.mode() === \"fallback\")",
    to: "const state = states.of(slot);\n    if (mode() === \"fallback\")",
    killedBy: [groups, lostShard],
    needs: "redis",
  },
  {
    name: "runs of a Cluster mix slots",
    file: "apps/api/src/access/redis/open-cluster.ts",
    from: "    slotOf: keySlot,",
    to: "    slotOf: (key) => keySlot(key) - (keySlot(key) % 64),",
    killedBy: [groups, "are exact for subjects of all shards, whatever their slots, and each shard has its own"],
    needs: "redis",
  },
  {
    name: "a key that is being moved is not followed",
    file: "apps/api/src/access/limits/take-from-shard.ts",
    from: "return takeAsking(await shards.clientAt(redirection.place), takes);",
    to: "void takeAsking; throw error;",
    killedBy: [groups, "stay exact while a slot is moved to another shard, and afterwards"],
    needs: "redis",
  },
  {
    name: "a client gives up at the end of the list of Sentinels",
    file: "apps/api/src/access/redis/open-redis.ts",
    from: "sentinelRetryStrategy: retryStrategy };",
    to: "sentinelRetryStrategy: () => null };",
    killedBy: [groups, "are shared again when no Sentinel could be asked for longer than a client takes to ask them all"],
    needs: "redis",
  },
  {
    name: "a replica counts as current although it lacks a part",
    file: "apps/api/src/store/reports/replica-age.ts",
    from: "readings.findLast((reading) => reading.position <= position)",
    to: "readings.findLast((reading) => reading.position <= position + 10n)",
    killedBy: [replica, replicaAge],
  },
  {
    name: "a replica that stands still is read for longer than the bound",
    file: "apps/api/src/store/reports/open-replica.ts",
    from: "Number.POSITIVE_INFINITY) <= staleMsMax;",
    to: "Number.POSITIVE_INFINITY) <= staleMsMax * 3;",
    killedBy: [replica, "come from it, say how old they may be, and are no older than the bound; balances are never read from it"],
    needs: "postgres",
  },
];
