import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { hasRedisServer, type RedisServer, startRedis } from "../access/start-redis.ts";
import { type OpenDatabase, describeBothStores } from "../both-stores.ts";
import { makeAccount, vastTier } from "../make-account.ts";
import { predict, send, waitUntil } from "../send.ts";
import type { TestService } from "../start-service.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { countAttempts, createCallBook } from "./rig/call-book.ts";
import { startLoad } from "./rig/load.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const connectionCount = 8;
const thinkMsMax = 20;
const outageCount = 3;
const starterPerMinute = 50;

async function modeOf(service: TestService): Promise<string | undefined> {
  const { text } = await send(service, "/metrics");
  return /assay_limiter_mode\{mode="(\w+)"\} 1/.exec(text)?.[1];
}

function suite(open: OpenDatabase): void {
  let redis: RedisServer;
  before(async () => {
    redis = await startRedis();
  });
  after(() => redis?.stop());

  it("answers every call, falls back to local limits, reports that, and recovers", async (t) => {
    const random = createSeededRandom();
    t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
    const database = await open();
    const accounts = [await makeAccount(database.store, { tier: vastTier })];
    const limited = await makeAccount(database.store, { tier: "Starter" });
    const service = await database.serve({ redisUrl: redis.url, env: { LOG_LEVEL: "info" } });
    const countLines = (text: string) => service.logs().split(text).length - 1;
    const isMode = (mode: string) => async () => (await modeOf(service)) === mode;
    const book = createCallBook();
    const load = startLoad({ book, random, accounts, connections: connectionCount, urls: [service.url], endsWhenCut: false, thinkMsMax });
    try {
      for (let outage = 1; outage <= outageCount; outage += 1) {
        await waitUntil(isMode("redis"), "calls are counted in Redis");
        await redis.stop();
        await waitUntil(isMode("fallback"), "the node counts in memory");
        const made = book.records.length;
        await waitUntil(() => book.records.length > made + 10 * connectionCount, "calls continue without Redis");
        redis = await startRedis(redis.port);
        await waitUntil(isMode("redis"), "the node counts in Redis again");
        await waitUntil(() => countLines("Redis is unreachable") === outage, "the log tells of the loss, once");
        await waitUntil(() => countLines("Redis is reachable again") === outage, "the log tells of the return, once");
      }
      await redis.stop();
      await waitUntil(isMode("fallback"), "the node counts in memory");
      const statuses: number[] = [];
      for (let call = 0; call < starterPerMinute + 10; call += 1) statuses.push((await predict(service, limited.testKey)).status);
      assert.ok(statuses.filter((status) => status === 200).length <= starterPerMinute, "limits hold without Redis");
      assert.ok(statuses.includes(429));
    } finally {
      await load.stop();
    }
    assert.deepEqual(Object.keys(countAttempts(book.records)), ["200"], "no call fails");
    assert.equal(await service.stop(), 0);
    const audit = await auditCalls(database.store, book.records);
    t.diagnostic(`${outageCount + 1} outages, ${audit.answered} calls answered, ${audit.entries} entries`);
  });
}

describe("an outage of Redis", { skip: hasRedisServer() ? false : "no redis-server" }, () => {
  describeBothStores("the service without Redis", suite);
});
