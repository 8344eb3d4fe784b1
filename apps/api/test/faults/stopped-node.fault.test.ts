import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { hasRedisServer, type RedisServer, startRedis } from "../access/start-redis.ts";
import { openStore } from "../../src/store/open-store.ts";
import { makeAccount, vastTier } from "../make-account.ts";
import { waitUntil } from "../send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import { startService } from "../start-service.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { countAttempts, createCallBook, isAnswered, unsettledWithKey } from "./rig/call-book.ts";
import { retryCalls, startLoad } from "./rig/load.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const connectionsPerNode = 8;
/** Between two calls of a client: the node is stopped for seconds, and as many calls as a processor can make would prove no more. */
const thinkMsMax = 20;
/** How long the node is suspended; the last one exceeds its timeout for the database. */
const stopMs = [300, 700, 1_500, 6_000];

const skip = whyPostgresIsSkipped() || (hasRedisServer() ? false : "no redis-server");

describe("a node that is suspended under load", { skip }, () => {
  let postgres: TestPostgres;
  let redis: RedisServer;
  before(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });
  after(async () => {
    await postgres?.stop();
    await redis?.stop();
  });

  it("does not disturb the other node, and continues when it is resumed", async (t) => {
    const random = createSeededRandom();
    t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
    const settings = { databaseUrl: await postgres.newDatabase(), redisUrl: redis.url };
    const { store } = await openStore({ ...settings, dataDir: "" }, { nowMs: Date.now(), onConnectionError: () => {} });
    const accounts = [await makeAccount(store, { tier: vastTier })];
    const [stopped, other] = await Promise.all([startService(settings), startService(settings)]);
    const [bookOfStopped, bookOfOther] = [createCallBook(), createCallBook()];
    // Serials identify calls in the store, so those of the two books must differ.
    bookOfOther.firstSerial = 1_000_000_000;
    const shared = { random, accounts, connections: connectionsPerNode, endsWhenCut: false, thinkMsMax };
    const loads = [
      startLoad({ ...shared, book: bookOfStopped, urls: [stopped.url] }),
      startLoad({ ...shared, book: bookOfOther, urls: [other.url] }),
    ];
    const answeredBy = (book: typeof bookOfOther) => book.records.filter((record) => isAnswered(record, 200)).length;
    let slowestMs = 0;
    try {
      for (const stoppedMs of stopMs) {
        await sleep(random.between(100, 400));
        stopped.child.kill("SIGSTOP");
        const answered = answeredBy(bookOfOther);
        const stoppedAtMs = performance.now();
        await waitUntil(() => answeredBy(bookOfOther) > answered + connectionsPerNode, "the other node keeps answering");
        slowestMs = Math.max(slowestMs, performance.now() - stoppedAtMs);
        await sleep(stoppedMs);
        stopped.child.kill("SIGCONT");
        const healedAt = bookOfStopped.records.length;
        const works = () => bookOfStopped.records.slice(healedAt).some((record) => isAnswered(record, 200));
        await waitUntil(works, "the resumed node answers again", 30_000);
      }
      await Promise.all(loads.map((load) => load.stop()));
      assert.deepEqual(Object.keys(countAttempts(bookOfOther.records)), ["200"], "the other node answers every call with 200");
      await retryCalls(stopped.url, unsettledWithKey(bookOfStopped.records));
      const records = [...bookOfStopped.records, ...bookOfOther.records];
      assert.equal(unsettledWithKey(records).length, 0, "every retry is answered");
      assert.deepEqual([await stopped.stop(), await other.stop()], [0, 0]);
      const audit = await auditCalls(store, records);
      t.diagnostic(
        `${stopMs.length} stops; stopped node ${JSON.stringify(countAttempts(bookOfStopped.records))}, other node ` +
          `${JSON.stringify(countAttempts(bookOfOther.records))}; ${audit.entries} entries; the other node's next ` +
          `${connectionsPerNode} answers took at most ${Math.round(slowestMs)} ms`,
      );
    } finally {
      stopped.child.kill("SIGCONT");
      await Promise.all([stopped.kill9(), other.kill9()]);
      await Promise.all(loads.map((load) => load.stop()));
      await store.close();
    }
  });
});
