import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { hasRedisServer, patientWaits, type RedisServer, startRedis } from "../../../test/access/start-redis.ts";
import type { Limiter, LimiterMode, LimitOutcome, Quota } from "./limiter.ts";
import { createMemoryLimiter, type MemoryLimiter } from "./memory-limiter.ts";
import { openRedis, type RedisWaits } from "../redis/open-redis.ts";
import { createSingleShard } from "../redis/shards.ts";
import { createRedisLimiter } from "./redis-limiter.ts";
import { limitKeyOf, takeFromRedis } from "./take-script.ts";

type Node = { limiter: Limiter; memory: MemoryLimiter; redis: Redis; logged: string[]; modes: LimiterMode[] };

const conditionMsMax = 30_000;
/** How long a Redis that hangs is waited for: longer than one that runs takes on a busy machine. */
const hangingMs = 3_000;

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + conditionMsMax;
  while (!holds()) {
    assert(performance.now() < deadlineMs, `timed out waiting for ${what}`);
    await sleep(10);
  }
}

const callMany = async (limiter: Limiter, subject: string, quota: Quota, calls: number): Promise<LimitOutcome[]> =>
  Promise.all(Array.from({ length: calls }, async () => limiter.consume(subject, quota)));
const allowedIn = (outcomes: LimitOutcome[]): number => outcomes.filter(({ allowed }) => allowed).length;

describe("the Redis limiter", { skip: hasRedisServer() ? false : "redis-server is not on this machine" }, () => {
  let server: RedisServer;
  const nodes: Node[] = [];

  before(async () => {
    server = await startRedis();
  });
  afterEach(async () => {
    const ended = nodes.splice(0);
    await Promise.all(ended.map(({ limiter }) => limiter.close()));
    for (const { redis } of ended) redis.disconnect();
  });
  after(() => server.stop());

  const startNode = async ({ waitingMax, waits = patientWaits }: { waitingMax?: number; waits?: RedisWaits } = {}): Promise<Node> => {
    const redis = await openRedis({ mode: "single", url: server.url }, waits);
    const memory = createMemoryLimiter({ nowMs: () => performance.now() });
    const logged: string[] = [];
    const modes: LimiterMode[] = [];
    const log = { info: () => void logged.push("info"), warn: () => void logged.push("warn") };
    const onModeChange = (mode: LimiterMode): void => void modes.push(mode);
    const bound = waitingMax === undefined ? {} : { waitingMax };
    const limiter = createRedisLimiter({ shards: createSingleShard(redis), memory, log, onModeChange, ...bound });
    const node = { limiter, memory, redis, logged, modes };
    nodes.push(node);
    return node;
  };

  it("two nodes together grant exactly the limit to concurrent calls", async () => {
    const [a, b] = [await startNode(), await startNode()];
    const quota = { perHour: 1_000, perMinute: 300 };
    const rounds = Array.from({ length: 40 }, async (_, round) => {
      await sleep(round / 2);
      return callMany((round % 2 === 0 ? a : b).limiter, "shared", quota, 20);
    });
    const outcomes = (await Promise.all(rounds)).flat();
    assert.equal(outcomes.length, 800);
    assert.equal(allowedIn(outcomes), 300);
    const [counted] = await takeFromRedis(a.redis, [{ key: limitKeyOf("shared"), asked: 0, quota }]);
    assert.equal(counted!.hour.used, 300);
    assert.equal(a.memory.peek("shared", quota).hour.used + b.memory.peek("shared", quota).hour.used, 300);
    const lefts = outcomes.filter(({ allowed }) => allowed).map(({ burst }) => burst.remaining);
    assert.deepEqual(lefts.toSorted((x, y) => x - y), Array.from({ length: 300 }, (_, left) => left));
    assert.deepEqual([...a.modes, ...b.modes], []);
  });

  it("waiting calls share a script run, are granted in order, and each get their own remaining count", async () => {
    const { limiter, redis } = await startNode();
    await limiter.consume("warm-up", { perHour: 10, perMinute: 10 });
    const runsBefore = await scriptRuns(redis);
    const outcomes = await callMany(limiter, "gathered", { perHour: 100, perMinute: 8 }, 50);
    assert.equal((await scriptRuns(redis)) - runsBefore, 1);
    assert.deepEqual(outcomes.slice(0, 8).map(({ burst }) => burst.remaining), [7, 6, 5, 4, 3, 2, 1, 0]);
    assert.equal(allowedIn(outcomes), 8);
    for (const refused of outcomes.slice(8)) {
      assert(!refused.allowed);
      assert.equal(refused.limit, "burst");
      assert(refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 61);
      assert.equal(refused.hour.remaining, 92);
    }
  });

  it("calls of many subjects share few script runs, and each is counted and answered by itself", async () => {
    const { limiter, redis } = await startNode();
    await limiter.consume("warm-up", { perHour: 10, perMinute: 10 });
    const runsBefore = await scriptRuns(redis);
    const subjects = Array.from({ length: 450 }, (_, index) => `many-${index}`);
    const quotaOf = (index: number): Quota => ({ perHour: 1_000, perMinute: index });
    const outcomes = await Promise.all(subjects.map((subject, index) => callMany(limiter, subject, quotaOf(index), 2)));
    assert.equal((await scriptRuns(redis)) - runsBefore, 3);
    assert.deepEqual(outcomes.map(allowedIn), subjects.map((_, index) => Math.min(2, index)));
    assert.deepEqual(outcomes.map(([first]) => first!.burst.remaining), subjects.map((_, index) => Math.max(0, index - 1)));
    const counts = await Promise.all(subjects.map(async (subject, index) => (await limiter.peek(subject, quotaOf(index))).hour.used));
    assert.deepEqual(counts, subjects.map((_, index) => Math.min(2, index)));
  });

  it("each waiting call is checked against its own quota", async () => {
    const { limiter } = await startNode();
    const small = { perHour: 100, perMinute: 3 };
    const large = { perHour: 100, perMinute: 6 };
    const outcomes = await Promise.all(
      [small, small, small, small, large, large, small, large, large].map(async (quota) => limiter.consume("moved", quota)),
    );
    assert.deepEqual(
      outcomes.map(({ allowed }) => allowed),
      [true, true, true, false, true, true, false, true, false],
    );
  });

  it("peek uses no quota, includes calls that other nodes granted, and works while Redis is down", async () => {
    const [a, b] = [await startNode(), await startNode()];
    const quota = { perHour: 100, perMinute: 10 };
    await callMany(a.limiter, "watched", quota, 4);
    for (let look = 0; look < 20; look += 1) {
      const { hour, burst } = await b.limiter.peek("watched", quota);
      assert.deepEqual([hour.used, burst.used], [4, 4]);
    }
    assert.equal(allowedIn(await callMany(b.limiter, "watched", quota, 10)), 6);
    b.redis.disconnect();
    assert.equal((await b.limiter.peek("watched", quota)).burst.used, 6, "what this node granted by itself");
  });

  it("the number of waiting calls is bounded", async () => {
    const { limiter } = await startNode({ waitingMax: 4 });
    const quota = { perHour: 100, perMinute: 100 };
    const waiting = callMany(limiter, "flood", quota, 4);
    assert.throws(() => limiter.consume("flood", quota), { code: "overloaded" });
    assert.equal(allowedIn(await waiting), 4);
    assert((await limiter.consume("flood", quota)).allowed);
  });

  it("without Redis the node counts by itself, and a Redis that returns empty grants no quota twice", async () => {
    const { limiter, logged, modes } = await startNode();
    const quota = { perHour: 100, perMinute: 10 };
    assert.equal(allowedIn(await callMany(limiter, "survivor", quota, 6)), 6);

    server.kill();
    // Whether the first of these finds the connection closed or closing, each gets an outcome.
    assert.equal(allowedIn(await callMany(limiter, "survivor", quota, 6)), 4);
    await until("fallback", () => limiter.mode() === "fallback");
    assert(!(limiter.consume("survivor", quota) instanceof Promise), "no call waits for Redis while it is down");
    assert.equal(allowedIn(await callMany(limiter, "newcomer", quota, 20)), 10);
    assert.deepEqual([logged, modes], [["warn"], ["fallback"]]);

    await server.stop();
    server = await startRedis(server.port);
    await until("recovery", () => limiter.mode() === "redis");
    assert.deepEqual([logged, modes], [["warn", "info"], ["fallback", "redis"]]);
    const refused = await limiter.consume("newcomer", quota);
    assert(!refused.allowed, "this node still knows what it granted");
    assert.equal(refused.limit, "burst");
    const raised = { perHour: 100, perMinute: 12 };
    const outcomes = await callMany(limiter, "newcomer", raised, 5);
    assert.deepEqual(outcomes.map(({ burst }) => burst.remaining), [1, 0, 0, 0, 0]);
    assert.equal(allowedIn(outcomes), 2);
    assert.equal(allowedIn(await callMany(limiter, "fresh", quota, 20)), 10);
    assert.deepEqual(modes, ["fallback", "redis"]);
  });

  it("a Redis that refused to count for a while, and kept its connections and its counts, grants no quota twice", async () => {
    const { limiter, memory, redis, modes } = await startNode();
    const quota = { perHour: 10, perMinute: 100 };
    assert.equal(allowedIn(await callMany(limiter, "refused", quota, 4)), 4);
    // Every write fails, and no connection is lost.
    await redis.config("SET", "maxmemory", "1");
    assert.equal(allowedIn(await callMany(limiter, "refused", quota, 3)), 3);
    assert.deepEqual(modes, ["fallback"]);
    await redis.config("SET", "maxmemory", "0");
    await until("the node uses Redis again", () => limiter.mode() === "redis");
    const [counted] = await takeFromRedis(redis, [{ key: limitKeyOf("refused"), asked: 0, quota }]);
    assert.deepEqual([counted!.hour.used, memory.peek("refused", quota).hour.used], [4, 7]);
    assert.equal(allowedIn(await callMany(limiter, "refused", quota, 20)), 3);
  });

  it("a Redis that hangs delays the calls in flight once, and no later ones", async () => {
    const { limiter, logged } = await startNode({ waits: { ...patientWaits, commandMs: hangingMs } });
    const quota = { perHour: 100, perMinute: 10 };
    await limiter.consume("patient", quota);
    process.kill(server.pid, "SIGSTOP");
    try {
      const others = callMany(limiter, "other", quota, 12);
      assert.equal(allowedIn(await callMany(limiter, "patient", quota, 12)), 9);
      assert.equal(allowedIn(await others), 10);
      assert.equal(limiter.mode(), "fallback");
      assert(!(limiter.consume("third", quota) instanceof Promise));
    } finally {
      process.kill(server.pid, "SIGCONT");
    }
    await until("recovery", () => limiter.mode() === "redis");
    assert.equal(allowedIn(await callMany(limiter, "patient", quota, 5)), 0);
    assert.deepEqual(logged, ["warn", "info"]);
  });

  it("a node starts while Redis is down, and uses it once it is up", async () => {
    const { port } = server;
    await server.stop();
    const { limiter, modes } = await startNode();
    const quota = { perHour: 100, perMinute: 2 };
    assert.equal(allowedIn(await callMany(limiter, "early", quota, 5)), 2);
    server = await startRedis(port);
    await until("recovery", () => limiter.mode() === "redis");
    assert.deepEqual(modes, ["fallback", "redis"]);
  });

  it("close answers all waiting calls, whether Redis does or not", async () => {
    const { limiter } = await startNode();
    await limiter.consume("last", { perHour: 10, perMinute: 2 });
    process.kill(server.pid, "SIGSTOP");
    try {
      const waiting = callMany(limiter, "last", { perHour: 10, perMinute: 2 }, 4);
      await limiter.close();
      assert.equal(allowedIn(await waiting), 1);
    } finally {
      process.kill(server.pid, "SIGCONT");
    }
  });
});

async function scriptRuns(redis: Redis): Promise<number> {
  const text = await redis.info("commandstats");
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(text)?.[1] ?? 0);
}
