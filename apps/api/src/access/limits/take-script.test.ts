import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import * as fc from "fast-check";
import type { Redis } from "ioredis";
import { checkWindows, visits } from "../../../test/access/check-windows.ts";
import { hasRedisServer, patientWaits, type RedisServer, startRedis } from "../../../test/access/start-redis.ts";
import { openRedis } from "../redis/open-redis.ts";
import { outcomeAt } from "./redis-limiter.ts";
import { limitKeyOf, type Taken, takeFromRedis, takeScript, takeScriptUnderClock } from "./take-script.ts";

/** Far in the future: the server expires keys by its own clock, and none may expire during the test. */
const testStartMs = 4_000_000_000_000;
const scriptAtGivenTime = takeScriptUnderClock("local now = tonumber(ARGV[#ARGV])\n");

describe("the Redis script", { skip: hasRedisServer() ? false : "redis-server is not on this machine" }, () => {
  let server: RedisServer;
  let redis: Redis;
  let keyCount = 0;

  before(async () => {
    server = await startRedis();
    redis = await openRedis({ mode: "single", url: server.url }, patientWaits);
  });
  after(async () => {
    redis.disconnect();
    await server.stop();
  });

  const newKey = (): string => limitKeyOf(`subject-${(keyCount += 1)}`);
  type Call = { key: string; asked: number; perHour: number; perMinute: number };
  const takeAllAt = (nowMs: number, calls: Call[]) =>
    takeFromRedis(redis, calls.map(({ key, asked, ...quota }) => ({ key, asked, quota })), { script: scriptAtGivenTime, clockArgument: nowMs });
  const takeAt = async (nowMs: number, call: Call): Promise<Taken> => (await takeAllAt(nowMs, [call]))[0]!;

  it("agrees with a plain log of calls for all quotas and times", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 10_000_000 }), visits, async (offsetMs, list) => {
        const key = newKey();
        await checkWindows({
          startMs: testStartMs + offsetMs,
          visits: list,
          decide: async (nowMs, calls, quota) => {
            const taken = await takeAt(nowMs, { key, asked: calls, ...quota });
            return Array.from({ length: calls }, (_, index) => outcomeAt(index, taken, quota));
          },
        });
        await checkStoredTotals(redis, key);
        await redis.del(key);
      }),
      { numRuns: 150 },
    );
  });

  it("grants as many calls as fit and counts only those", async () => {
    const call = { key: newKey(), perHour: 100, perMinute: 7 };
    assert.equal((await takeAt(testStartMs, { ...call, asked: 5 })).granted, 5);
    const taken = await takeAt(testStartMs, { ...call, asked: 5 });
    assert.deepEqual([taken.granted, taken.hour.used, taken.burst.used], [2, 7, 7]);
    assert.equal((await takeAt(testStartMs, { ...call, asked: 5 })).hour.used, 7);
  });

  it("does in one run what it does one by one, whatever the subjects' windows are", async () => {
    const call = fc.record({ subject: fc.nat(3), asked: fc.nat(4), perHour: fc.nat(9), perMinute: fc.nat(6), laterMs: fc.constantFrom(0, 700, 61_000, 3_600_000) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(call, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }), async (runs) => {
        const keys = Array.from({ length: 8 }, newKey);
        let nowMs = testStartMs;
        for (const run of runs) {
          nowMs += run[0]!.laterMs;
          const callsWith = (firstKey: number) => run.map(({ subject, asked, perHour, perMinute }) => ({ key: keys[firstKey + subject]!, asked, perHour, perMinute }));
          const oneByOne: Taken[] = [];
          for (const each of callsWith(0)) oneByOne.push(await takeAt(nowMs, each));
          assert.deepEqual(await takeAllAt(nowMs, callsWith(4)), oneByOne);
        }
        await redis.del(...keys);
      }),
      { numRuns: 60 },
    );
  });

  it("loses no calls when the clock steps back a little", async () => {
    const call = { key: newKey(), asked: 1, perHour: 3, perMinute: 3 };
    for (const stepMs of [0, -500, -30_000]) await takeAt(testStartMs + stepMs, call);
    assert.equal((await takeAt(testStartMs - 40_000, call)).granted, 0);
    assert.equal((await takeAt(testStartMs + 60_000, call)).granted, 0);
    await checkStoredTotals(redis, call.key);
    assert.equal((await takeAt(testStartMs + 3_661_000, call)).granted, 1);
  });

  it("counts all calls of a bucket that the clock left and entered again", async () => {
    const call = { key: newKey(), asked: 1, perHour: 100, perMinute: 100 };
    for (const stepMs of [0, 0, -5_000, 0]) await takeAt(testStartMs + stepMs, call);
    await checkStoredTotals(redis, call.key);
    // Old enough that the minute's buckets are summed again, and not that any of the calls has left.
    assert.equal((await takeAt(testStartMs + 59_999, { ...call, asked: 0 })).burst.used, 4);
    assert.equal((await takeAt(testStartMs + 61_000, { ...call, asked: 0 })).burst.used, 0);
  });

  it("does not lock a subject out after the clock was hours ahead", async () => {
    const call = { key: newKey(), asked: 1, perHour: 1, perMinute: 1 };
    await takeAt(testStartMs + 86_400_000, call);
    const taken: Taken = await takeAt(testStartMs, call);
    assert.deepEqual([taken.granted, taken.hour.used, taken.burst.used], [1, 1, 1]);
    assert.equal((await takeAt(testStartMs, call)).granted, 0);
    await checkStoredTotals(redis, call.key);
  });

  it("keeps one small, hash-tagged key per subject, which expires when its last call has left the hour", async () => {
    const key = limitKeyOf("acct_1");
    assert.equal(key, "limits:{acct_1}");
    await takeFromRedis(redis, [{ key, asked: 1, quota: { perHour: 5, perMinute: 5 } }]);
    const lifeMs = await redis.pttl(key);
    assert(lifeMs > 3_590_000 && lifeMs <= 3_660_000, `${lifeMs}`);

    const busy = { key: newKey(), asked: 1, perHour: 1_000_000, perMinute: 1_000_000 };
    for (let second = 0; second < 4_000; second += 7) await takeAt(testStartMs + second * 1000, busy);
    assert((await redis.hlen(busy.key)) <= 126);
  });

  it("is loaded again when the server has lost its scripts", async () => {
    const take = { key: newKey(), asked: 1, quota: { perHour: 5, perMinute: 5 } };
    await takeFromRedis(redis, [take]);
    await redis.script("FLUSH");
    assert.equal((await takeFromRedis(redis, [take]))[0]!.hour.used, 2);
    assert.deepEqual(await redis.script("EXISTS", takeScript.sha1), [1]);
  });
});

/** The running totals decide; they must equal the sum of the filled buckets and the one being filled. */
async function checkStoredTotals(redis: Redis, key: string): Promise<void> {
  const fields = await redis.hgetallBuffer(key);
  const head = fields["s"];
  assert(head !== undefined && head.length === 48);
  for (const [name, offset] of [["h", 0], ["b", 24]] as const) {
    let sum = head.readUInt32LE(offset + 20);
    for (const [field, value] of Object.entries(fields)) {
      if (!field.startsWith(name)) continue;
      assert(Number(value) > 0, `${field} counts nothing and should be gone`);
      sum += Number(value);
    }
    assert.equal(head.readUInt32LE(offset), sum);
  }
}
