import { networkQuota, siteQuota } from "@assay/contract/attestation.ts";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Redis } from "ioredis";
import { hasRedisServer, type RedisServer, startRedis } from "../../../test/access/start-redis.ts";
import { createSingleShard } from "../../access/redis/shards.ts";
import { createRedisLimiter } from "../../access/limits/redis-limiter.ts";
import { createMemoryLimiter } from "../../access/limits/memory-limiter.ts";
import type { Limiter } from "../../access/limits/limiter.ts";
import { msPerMinute } from "../../formats/time.ts";
import { createCrowds } from "./crowds.ts";
import type { NetworkTags } from "./network-tags.ts";

const tagOf = (network: number, day = 0): string => (day * 1_000_000 + network).toString(16).padStart(16, "0");
const inDay = (network: number): NetworkTags => ({ today: tagOf(network), yesterday: undefined });
/** The same network after midnight, whose tag is another one. */
const afterMidnight = (network: number): NetworkTags => ({ today: tagOf(network, 1), yesterday: tagOf(network) });

let sites = 0;
const newSite = (): string => `site_${String((sites += 1)).padStart(20, "0")}`;
let networks = 0;
const newNetwork = (): number => (networks += 1);

/** What holds in memory and in Redis alike. */
function describeCrowds(open: () => Limiter): void {
  const begin = async (tags: NetworkTags, siteId: string, count = 1): Promise<boolean[]> => {
    const { isCrowded } = createCrowds(open());
    const crowded: boolean[] = [];
    for (let nth = 0; nth < count; nth += 1) crowded.push(await isCrowded({ tags, siteId }));
    return crowded;
  };
  const { perMinute } = networkQuota;

  it("are the sessions beyond a network's window, over all sites [threat: crowded-network]", async () => {
    const network = newNetwork();
    const begun = await Promise.all(Array.from({ length: perMinute }, () => begin(inDay(network), newSite())));
    assert(begun.flat().every((crowded) => !crowded));
    assert.deepEqual(await begin(inDay(network), newSite(), 3), [true, true, true]);
    assert.deepEqual(await begin(inDay(newNetwork()), newSite()), [false], "another network is not concerned");
  });

  it("are counted over midnight: what was used before it is used after it [threat: crowded-network]", async () => {
    const network = newNetwork();
    await begin(inDay(network), newSite(), perMinute);
    assert.deepEqual(await begin(afterMidnight(network), newSite(), 2), [true, true]);
    const half = newNetwork();
    await begin(inDay(half), newSite(), perMinute / 2);
    const begun = await begin(afterMidnight(half), newSite(), perMinute);
    assert.equal(begun.filter((crowded) => !crowded).length, perMinute / 2, "the rest of the window is left, and no more");
    const fresh = newNetwork();
    assert.deepEqual((await begin(afterMidnight(fresh), newSite(), perMinute + 1)).filter(Boolean).length, 1, "a network without a yesterday has a whole window");
  });

  it("of a network use nothing of a site's window: a stranger cannot crowd a site out [threat: site-griefing]", async () => {
    const siteId = newSite();
    const limiter = open();
    const { isCrowded } = createCrowds(limiter);
    const stranger = inDay(newNetwork());
    for (let nth = 0; nth < 500; nth += 1) await isCrowded({ tags: stranger, siteId });
    const { burst, hour } = await limiter.peek(`site:${siteId}`, siteQuota);
    assert.deepEqual([burst.used, hour.used], [perMinute, perMinute]);
    assert.equal(await isCrowded({ tags: inDay(newNetwork()), siteId }), false);
  });

  it("are the sessions beyond a site's window, from whatever networks", async () => {
    const siteId = newSite();
    const limiter = open();
    const { isCrowded } = createCrowds(limiter);
    const begun = await Promise.all(Array.from({ length: siteQuota.perMinute + 7 }, async () => isCrowded({ tags: inDay(newNetwork()), siteId })));
    assert.equal(begun.filter(Boolean).length, 7);
    assert.equal(await isCrowded({ tags: inDay(newNetwork()), siteId: newSite() }), false, "another site is not concerned");
  });
}

describe("crowded sessions in memory", () => {
  // Time stands still, so that no window moves on while a test counts.
  const limiter = createMemoryLimiter({ nowMs: () => 1e9 });
  describeCrowds(() => limiter);

  it("end with the hour and the minute, also over midnight", async () => {
    let now = 1e9;
    const { isCrowded } = createCrowds(createMemoryLimiter({ nowMs: () => now }));
    const [siteId, network] = [newSite(), newNetwork()];
    const begun = async (tags: NetworkTags) => !(await isCrowded({ tags, siteId }));
    // Two a minute for an hour use the hour up, and never the minute.
    for (let minute = 0; minute < 60; minute += 1) {
      for (let nth = 0; nth < 2; nth += 1) assert.equal(await begun(inDay(network)), true);
      now += msPerMinute;
    }
    assert.equal(await begun(afterMidnight(network)), false, "120 in the last hour");
    now += msPerMinute;
    assert.equal(await begun(afterMidnight(network)), true, "the first minute has left the window");
    now += 61 * msPerMinute;
    assert.equal(await begun(inDay(network)), true);
  });

  it("are remembered for a bounded number of networks: strangers with many cannot fill the memory [threat: beat-flood]", () => {
    const bounded = createMemoryLimiter({ nowMs: () => 1e9, subjectsMax: 1_000 });
    for (let network = 0; network < 5_000; network += 1) {
      bounded.consume(`network:${network}`, networkQuota);
      assert(bounded.subjectCount() <= 1_000);
    }
    // The newest are known, the oldest forgotten.
    const usedBy = (network: number) => bounded.peek(`network:${network}`, networkQuota).hour.used;
    assert.deepEqual([usedBy(4_999), usedBy(0)], [1, 0]);
  });
});

describe("crowded sessions in Redis", { skip: !hasRedisServer() && "redis-server is not installed" }, () => {
  let server: RedisServer;
  let redis: Redis;
  let nodes: Limiter[];
  before(async () => {
    server = await startRedis();
    // Patient, unlike the service's: on a busy machine a node would fall back to its own memory.
    redis = new Redis(server.url);
    const log = { warn() {}, info() {}, error() {} };
    nodes = [1, 2].map(() => createRedisLimiter({ shards: createSingleShard(redis), memory: createMemoryLimiter({ nowMs: () => performance.now() }), log, onModeChange: () => {} }));
  });
  after(async () => {
    for (const node of nodes ?? []) await node.close();
    redis?.disconnect();
    await server?.stop();
  });
  /** The nodes in turns: what they share is in Redis only. */
  let opened = 0;
  const open = (): Limiter => nodes[(opened += 1) % nodes.length]!;
  describeCrowds(open);

  it("leave there tags, ids of sites and counts, each for 61 minutes at most [threat: address-disclosure]", async () => {
    await createCrowds(open()).isCrowded({ tags: inDay(newNetwork()), siteId: newSite() });
    const keys = await redis.keys("*");
    assert(keys.length > 20);
    for (const key of keys) {
      assert.match(key, /^limits:\{(network:[0-9a-f]{16}|site:site_[0-9A-Za-z]{20})\}$/);
      const ttlMs = await redis.pttl(key);
      assert(ttlMs > 0 && ttlMs <= 61 * msPerMinute, `${key} lives ${ttlMs} ms`);
      for (const field of Object.keys(await redis.hgetall(key))) assert.match(field, /^(s|[hb]\d\d?)$/);
    }
  });
});
