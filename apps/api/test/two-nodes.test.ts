import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTier, suspendAccount } from "../src/people/change-account.ts";
import { verifyLedger } from "../src/money/ledger/verify-ledger.ts";
import { openKeyChangeChannel } from "../src/access/keys/open-key-change-channel.ts";
import { revokeKey } from "../src/access/keys/revoke-key.ts";
import { hasRedisServer, patientService, type RedisServer, startRedis } from "./access/start-redis.ts";
import { assertRevokedInTime } from "./access/watch-revocation.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { makeAccount, vastTier } from "./make-account.ts";
import { readLedger } from "./read-ledger.ts";
import { predict, send } from "./send.ts";
import { joinPostgres, whyPostgresIsSkipped } from "./start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "./start-service.ts";

const skip = whyPostgresIsSkipped() || (!hasRedisServer() && "redis-server is not installed");

describe("two nodes on one PostgreSQL and one Redis", { skip }, () => {
  let postgres: Awaited<ReturnType<typeof joinPostgres>>;
  let redis: RedisServer;
  let databaseUrl: string;
  let store: Store;
  let nodes: TestService[];

  before(async () => {
    [postgres, redis] = await Promise.all([joinPostgres(), startRedis()]);
    databaseUrl = await postgres.newDatabase();
    // Both start on an empty database, which only one of them may migrate.
    nodes = await Promise.all([1, 2].map(() => startService({ databaseUrl, redisUrl: redis.url, program: patientService })));
    ({ store } = await openStore({ databaseUrl, dataDir: makeTestFolder() }, { nowMs: Date.now(), onConnectionError: () => {} }));
  });

  after(async () => {
    await Promise.all(nodes?.map((node) => node.stop()) ?? []);
    await store?.close();
    await redis?.stop();
    await postgres?.stop();
  });

  const onBoth = (key: string, count: number) => Promise.all(Array.from({ length: count }, (_, index) => predict(nodes[index % 2]!, key)));

  it("can start together on an empty database", async () => {
    const { rows } = await store.db.selectFrom("tiers").select("name").execute().then((names) => ({ rows: names }));
    assert.equal(rows.length, 3);
    for (const node of nodes) assert.equal((await send(node, "/health/ready")).status, 200);
  });

  it("share the limits exactly [threat: exceeded-limit]", async () => {
    for (const perMinute of [7, 50, 113]) {
      const name = `Shared${perMinute}`;
      await setTier(store, { name, per_hour: 1_000, per_minute: perMinute, share_bps: 6_800, nowMs: Date.now(), channel: undefined });
      const account = await makeAccount(store, { tier: name });
      const answers = await onBoth(account.liveKey, perMinute * 2 + 10);
      const passed = answers.filter(({ status }) => status === 200);
      assert.equal(passed.length, perMinute);
      assert.equal(answers.filter(({ status }) => status === 429).length, answers.length - perMinute);
      const left = passed.map(({ headers }) => Number(/"burst";r=(\d+)/.exec(String(headers.ratelimit))?.[1]));
      assert.deepEqual(left.toSorted((a, b) => a - b), Array.from({ length: perMinute }, (_, index) => index), "each call consumed exactly one");
      assert.equal((await readLedger(store, account.accountId)).length, perMinute);
    }
  });

  it("report in their metrics that limits are shared", async () => {
    for (const node of nodes) assert.match((await send(node, "/metrics")).text, /^assay_limiter_mode\{mode="redis"\} 1$/m);
  });

  it("refuse a revoked key and a suspended account within a second, even if no notification arrives [threat: revoked-key]", async () => {
    const channel = await openKeyChangeChannel(redis.url);
    try {
      await Promise.all(
        [channel, undefined].map(async (announced) => {
          const { accountId, liveKey, liveKeyId, testKey } = await makeAccount(store, { tier: vastTier });
          const change = () => ({ nowMs: Date.now(), channel: announced });
          await assertRevokedInTime(nodes, liveKey, () => revokeKey(store, { keyId: liveKeyId, ...change() }));
          // The account's other key is not affected.
          await assertRevokedInTime(nodes, testKey, () => suspendAccount(store, { accountId, reason: "a test", actorAccountId: null, ...change() }));
        }),
      );
    } finally {
      await channel.close();
    }
  });

  it("bill one account's calls into one chain", async () => {
    const account = await makeAccount(store, { tier: vastTier });
    const answers = await onBoth(account.liveKey, 200);
    assert(answers.every(({ status }) => status === 200));
    assert.equal(new Set(answers.map(({ headers }) => headers["assay-receipt"])).size, 200);
    const report = await verifyLedger(store);
    assert.deepEqual([report.ok, report.breaks], [true, []]);
  });
});
