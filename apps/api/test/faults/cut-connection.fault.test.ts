import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { send, waitUntil } from "../send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import type { TestService } from "../start-service.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { type BehindProxy, openBehindProxy } from "./rig/behind-proxy.ts";
import { type CallBook, countAttempts, createCallBook, isAnswered, unsettledWithKey, wasReplayed } from "./rig/call-book.ts";
import { retryCalls, startLoad } from "./rig/load.ts";
import type { Strike } from "./rig/postgres-proxy.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const connectionCount = 12;
/** Clients pause: a fault needs calls in flight, not as many as a processor can make. */
const thinkMsMax = 20;
const healMsMax = 60_000;
const readsAtOnce = 40;

/** A node behind a proxy, and every call that it was sent. */
type Rig = BehindProxy & { service: TestService; book: CallBook };

type Plan = {
  rounds: number;
  keyedShare?: number;
  /** Inflicts the fault and repairs it. */
  inflict(rig: Rig): Promise<void>;
};

type Outcome = { attempts: Record<string, number>; unanswered: number; replays: number };

describe("a connection to PostgreSQL that breaks", { skip: whyPostgresIsSkipped() }, () => {
  const opened: BehindProxy[] = [];
  let postgres: TestPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(async () => {
    for (const setup of opened) await setup.close();
    await postgres?.stop();
  });

  async function openRig(): Promise<Rig> {
    const setup = await openBehindProxy(postgres);
    opened.push(setup);
    return { ...setup, service: await setup.serve(), book: createCallBook() };
  }

  /** Inflicts the fault on a node under load for several rounds; then retries calls with a key and audits every call. */
  async function run(t: TestContext, rig: Rig, plan: Plan, beforeAudit?: () => Promise<void>): Promise<Outcome> {
    const random = createSeededRandom();
    t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
    const { accounts, book, service, store } = rig;
    const { keyedShare = 0.5 } = plan;
    const earlier = { calls: book.records.length, rounds: book.round };
    const load = startLoad({ book, random, accounts, connections: connectionCount, urls: [service.url], endsWhenCut: false, keyedShare, thinkMsMax });
    try {
      for (let round = 1; round <= plan.rounds; round += 1) {
        book.round += 1;
        await sleep(random.between(50, 250));
        await plan.inflict(rig);
        const healedAt = book.records.length;
        const serves = () => book.records.slice(healedAt).some((record) => isAnswered(record, 200));
        await waitUntil(serves, `calls succeed again after round ${round}`, healMsMax);
      }
    } finally {
      await load.stop();
    }
    const made = book.records.slice(earlier.calls);
    const attempts = countAttempts(made);
    const retried = unsettledWithKey(made);
    await retryCalls(service.url, retried);
    for (const record of retried) assert.ok(isAnswered(record, 200), `a retry failed: ${JSON.stringify(record.attempts)}`);
    assert.equal(attempts["500"], undefined, "an unreachable store is a retryable 503, not a 500");
    assert.equal(service.child.exitCode, null, "the process survives");
    await beforeAudit?.();
    const { unansweredByRound } = await auditCalls(store, book.records);
    const unanswered = [...unansweredByRound].reduce((sum, [round, count]) => (round > earlier.rounds ? sum + count : sum), 0);
    const replays = retried.filter(wasReplayed).length;
    const results = { calls: made.length, attempts, unanswered, retried: retried.length, replays };
    t.diagnostic(`${plan.rounds} rounds: ${JSON.stringify(results)}`);
    return { attempts, unanswered, replays };
  }

  async function runAlone(t: TestContext, plan: Plan): Promise<Outcome> {
    const rig = await openRig();
    return run(t, rig, plan, async () => assert.equal(await rig.service.stop(), 0));
  }

  /** Concurrent reads, as from a dashboard, so that the node opens all its connections. */
  async function fillPool(service: TestService, key: string): Promise<void> {
    const reads = Array.from({ length: readsAtOnce }, () => send(service, "/api/usage", { headers: { "x-api-key": key } }));
    for (const answer of await Promise.all(reads)) assert.equal(answer.status, 200);
  }

  const cutCalls = (book: CallBook) => countAttempts(book.records)["cut"] ?? 0;

  /** Waits until the node cuts another connection without an answer. */
  async function untilCallsAreCut(book: CallBook): Promise<void> {
    const cutBefore = cutCalls(book);
    await waitUntil(() => cutCalls(book) > cutBefore, "calls with an unknown outcome are cut", healMsMax);
  }

  describe("and is back at once, time after time, under the same node", () => {
    const strikes = (strike: Strike): Plan => ({ rounds: 3, inflict: ({ proxy }) => proxy.strike(strike) });
    let rig: Rig;
    before(async () => {
      rig = await openRig();
    });

    it("before the statement arrives: the calls get 503 and are not billed", async (t) => {
      const { attempts, unanswered } = await run(t, rig, strikes("cut_before"));
      assert.ok(attempts["503"], "calls get 503");
      assert.equal(attempts["cut"], undefined, "every call is answered");
      assert.equal(unanswered, 0);
    });

    it("in the middle of the statement: the calls get 503 and are not billed", async (t) => {
      const { attempts, unanswered } = await run(t, rig, strikes("cut_inside"));
      assert.ok(attempts["503"], "calls get 503");
      assert.equal(attempts["cut"], undefined, "every call is answered");
      assert.equal(unanswered, 0);
    });

    it("while the server commits: billed calls get 200, the others 503", async (t) => {
      const { attempts, unanswered } = await run(t, rig, strikes("cut_after"));
      assert.equal(attempts["cut"], undefined, "every call is answered");
      assert.equal(unanswered, 0);
    });

    it("after COMMIT: the node finds out, and every call gets 200", async (t) => {
      const { attempts } = await run(t, rig, strikes("drop_answer"));
      assert.deepEqual(Object.keys(attempts), ["200"]);
    });

    it("after COMMIT with the server briefly unreachable: the node still finds out", async (t) => {
      const { attempts, unanswered } = await run(t, rig, {
        rounds: 3,
        async inflict({ proxy }) {
          await proxy.strike("drop_answer");
          await proxy.refuse();
          await sleep(1_000);
          await proxy.accept();
        },
      });
      assert.equal(attempts["cut"], undefined, "every call is answered");
      assert.equal(unanswered, 0);
    });

    it("leaves a node that drains and exits with 0", async () => {
      assert.equal(await rig.service.stop(), 0);
    });
  });

  // Each has a node and a database of its own: they wait for the node's timeouts, all at once.
  describe("for longer than the node waits", { concurrency: true }, () => {
    it("after COMMIT with the server unreachable for long: the calls get no answer, and a retry gets the stored one", async (t) => {
      const { attempts, replays } = await runAlone(t, {
        rounds: 2,
        keyedShare: 1,
        async inflict({ proxy, book }) {
          await proxy.strike("drop_answer");
          await proxy.refuse();
          await untilCallsAreCut(book);
          await proxy.accept();
        },
      });
      assert.ok(attempts["cut"], "calls are cut");
      assert.ok(replays > 0, "retries get the stored answer");
    });

    for (const silentOnes of ["go_on", "stay_silent"] as const) {
      it(`without any packets for longer than the node waits, after which connections ${silentOnes === "go_on" ? "resume" : "stay silent"}`, async (t) => {
        const { attempts } = await runAlone(t, {
          rounds: 1,
          async inflict({ proxy, accounts, book, service }) {
            await fillPool(service, accounts[0]!.liveKey);
            proxy.blackHole();
            await untilCallsAreCut(book);
            proxy.endBlackHole(silentOnes);
          },
        });
        assert.ok(attempts["cut"], "calls are cut");
      });
    }

    it("a statement that arrives after its batch was abandoned bills nothing", async (t) => {
      const refused = (book: CallBook) => countAttempts(book.records)["503"] ?? 0;
      const { attempts, unanswered } = await runAlone(t, {
        rounds: 2,
        async inflict({ proxy, book }) {
          const refusedBefore = refused(book);
          await proxy.strike("hold_statement");
          await waitUntil(() => refused(book) > refusedBefore, "the node abandons the batch");
          assert.match(await proxy.release(), /23505/, "the fence row rejects the late statement");
        },
      });
      assert.equal(attempts["cut"], undefined, "every call is answered");
      assert.equal(unanswered, 0);
    });
  });
});
