/** What happens between calls, or to one on its way, happens alike with the lane and without it. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { revokeKey } from "../../src/access/keys/revoke-key.ts";
import type { Deps } from "../../src/deps.ts";
import { Failure, overloaded } from "../../src/failure/failure.ts";
import { msPerMinute } from "../../src/formats/time.ts";
import { CommitUnknown } from "../../src/store/store-failure.ts";
import { hasRedisServer, startRedis } from "../access/start-redis.ts";
import { statusesIn } from "../exchange-bytes.ts";
import { createSeededRandom } from "../faults/rig/seeded-random.ts";
import { waitUntil } from "../send.ts";
import { converse, goodbye, letRead, openConversation } from "./converse.ts";
import { adPath, bytesOf, callTo, lanePaths, scoringPaths } from "./draw-call.ts";
import { expiringKeyMs, goodAdBody, goodSessionBody, makeTemplate, prepaidCalls, type Template } from "./make-template.ts";
import { openTwins, type StoppedClock, stopClock, type Twin, type Twins } from "./twins.ts";

const starterPerMinute = 50;
const shedTickMs = 110;
const hurryMs = 20;
const shedLagMs = 1_500;

describe("with the lane as without it", () => {
  const random = createSeededRandom();
  let clock: StoppedClock;
  let template: Template;
  let twins: Twins;
  let accountsUsed = 0;
  /** What becomes of charges and offers from now on; undefined: nothing special. */
  let fault: (() => unknown) | undefined;

  /** Lets charges and offers fail as they can fail, without the circumstances that make them. */
  const adapt = (deps: Deps): Deps => ({
    ...deps,
    answerOnce: (call, waiter) => (fault ? waiter.fail(fault()) : deps.answerOnce(call, waiter)),
    ads: { ...deps.ads, requestAd: (caller, body, waiter) => (fault ? waiter.fail(fault()) : deps.ads.requestAd(caller, body, waiter)) },
  });

  before(async () => {
    clock = stopClock();
    template = await makeTemplate(clock, { accounts: 10 });
    twins = await openTwins(template, { clock, seed: random.seed, adapt });
    // The one that `pass` asks for.
    await takeAccount();
  });
  after(async () => {
    await twins.close();
    clock.restore();
  });

  const callsWith = (key: string, paths: readonly string[] = lanePaths) => paths.map((path) => bytesOf(callTo(path, key, path === adPath ? goodAdBody : goodSessionBody)));
  const same = (what: string, exchange: (twin: Twin) => Promise<string>) => twins.same(what, exchange);
  const callBoth = (what: string, requests: readonly Buffer[]) => same(what, (twin) => converse(twin, requests));

  /** An account whose keys both have in memory. */
  async function takeAccount() {
    const taken = template.accounts[accountsUsed++]!;
    await callBoth("first calls", [...callsWith(taken.keys.live), ...callsWith(taken.keys.test)]);
    return taken;
  }

  /** Moves the clock, and waits until both trust their keys again. */
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    const { keys } = template.accounts[0]!;
    const isFresh = ({ deps }: Twin) => deps.authenticator.recall(keys.live) !== undefined;
    await waitUntil(() => isFresh(twins.withLane) && isFresh(twins.without), "the feed of key changes is fresh");
  }

  /** How many of the calls were taken by the lane. */
  async function countTaken(work: () => Promise<unknown>): Promise<number> {
    const had = await twins.countTaken();
    await work();
    return (await twins.countTaken()) - had;
  }

  it("the limit refuses the same call, and lets the same call pass again", async () => {
    const { starter } = template;
    const [call] = callsWith(starter.liveKey);
    const taken = await countTaken(async () => {
      const received = await callBoth("over the limit", Array.from({ length: starterPerMinute + 3 }, () => call!));
      assert.deepEqual(statusesIn(received), [...Array.from({ length: starterPerMinute }, () => 200), 429, 429, 429, 200]);
    });
    assert.equal(taken, starterPerMinute + 2, "all but the first call, whose key was not in memory");
    const [first] = callsWith(starter.liveKey).map((bytes) => bytes.toString("latin1"));
    const head = first!.slice(0, first!.indexOf("\r\n\r\n") + 4);
    const early = await same("a head without its body", async (twin) => {
      const { socket, ...conversation } = await openConversation(twin);
      socket.write(head);
      await conversation.untilAnswers(1);
      socket.write(first!.slice(head.length) + goodbye);
      await conversation.untilClosed();
      return conversation.received();
    });
    assert.deepEqual(statusesIn(early), [429, 200], "it is answered before the body is sent");
    await pass(msPerMinute + 1_000);
    assert.deepEqual(statusesIn(await callBoth("a minute later", [call!])), [200, 200]);
    await twins.compareAccount(starter);
  });

  it("a key stops working when it expires, is revoked, or when the feed of changes is stale", async () => {
    const [first, second] = [await takeAccount(), await takeAccount()];
    assert.deepEqual(statusesIn(await callBoth("a key that expires", callsWith(template.expiringKey)))[0], 200);
    await pass(expiringKeyMs);
    assert.deepEqual(statusesIn(await callBoth("an expired key", callsWith(template.expiringKey))), [401, 401, 401, 401, 200]);
    const revoke = async ({ deps: { store } }: Twin, keyId: string) => revokeKey(store, { keyId, nowMs: clock.nowMs(), channel: undefined });
    for (const twin of [twins.withLane, twins.without]) {
      await revoke(twin, first.account.liveKeyId);
      twin.deps.authenticator.forget(`account:${first.account.accountId}`);
    }
    assert.deepEqual(statusesIn(await callBoth("a revoked key", callsWith(first.keys.live))), [401, 401, 401, 401, 200]);
    const both = [twins.withLane, twins.without];
    const changesAppliedUpTo = both.map(({ deps }) => deps.authenticator.changesAppliedUpTo);
    for (const twin of both) {
      twin.deps.authenticator.changesAppliedUpTo(Number.NEGATIVE_INFINITY);
      // The next poll would report that it is up to date.
      twin.deps.authenticator.changesAppliedUpTo = () => {};
      await revoke(twin, second.account.liveKeyId);
    }
    assert.deepEqual(statusesIn(await callBoth("a key in memory that is revoked in the store", callsWith(second.keys.live))), [401, 401, 401, 401, 200]);
    for (const [index, { deps }] of both.entries()) deps.authenticator.changesAppliedUpTo = changesAppliedUpTo[index]!;
    await pass(0);
    await twins.compareAccount(first.account);
    await twins.compareAccount(second.account);
  });

  it("a call that cannot be billed gets its failure, and one whose outcome is unknown gets none", async () => {
    const { account, keys } = await takeAccount();
    const faults: [what: string, make: () => unknown, status: number, paths: readonly string[]][] = [
      ["a full queue", () => overloaded("the queue is full"), 503, lanePaths],
      ["no money", () => new Failure("payment_required", "No money."), 402, scoringPaths],
      ["a conflict", () => new Failure("idempotency_conflict", "Another request."), 409, scoringPaths],
      ["a duplicate under way", () => new Failure("idempotency_in_progress", "Wait."), 409, scoringPaths],
      ["a bug", () => new TypeError("x is not a function"), 500, lanePaths],
    ];
    for (const [what, make, status, paths] of faults) {
      fault = make;
      const taken = await countTaken(async () => assert.deepEqual(statusesIn(await callBoth(what, callsWith(keys.live, paths))), [...paths.map(() => status), 200], what));
      assert.equal(taken, paths.length, what);
    }
    fault = () => new CommitUnknown(new Error("the connection is gone"));
    for (const call of callsWith(keys.live)) assert.equal(await callBoth("an unknown outcome", [call]), "", "the connection is closed without an answer");
    fault = undefined;
    await twins.compareAccount(account);
  });

  it("a drain announces itself in every answer, and a held call waits", async () => {
    const { account, keys } = await takeAccount();
    const both = [twins.withLane, twins.without];
    for (const { state } of both) state.draining = true;
    for (const call of callsWith(keys.live)) {
      const received = await callBoth("while draining", [call]);
      assert.deepEqual(statusesIn(received), [200]);
      assert.match(received, /^connection: close\r$/im);
    }
    const hold = Promise.withResolvers<void>();
    for (const { state } of both) state.held = hold.promise;
    let hasReceived = false;
    const held = callBoth("while held", [callsWith(keys.live)[0]!]).then((received) => {
      hasReceived = true;
      return received;
    });
    await letRead();
    await sleep(50);
    assert.equal(hasReceived, false);
    for (const { state } of both) Object.assign(state, { draining: false, held: undefined });
    hold.resolve();
    assert.deepEqual(statusesIn(await held), [200]);
    await twins.compareAccount(account);
  });

  it("a service that lags sheds the call, and it uses up no quota", async () => {
    const { account, keys } = await takeAccount();
    // Far more often than the service looks at the clock, so that every look finds it late.
    const hurry = setInterval(() => {
      clock.advance(shedLagMs);
      for (const { deps } of [twins.withLane, twins.without]) deps.authenticator.changesAppliedUpTo(performance.now());
    }, hurryMs);
    await sleep(4 * shedTickMs);
    const received = await callBoth("while it lags", callsWith(keys.live)).finally(() => clearInterval(hurry));
    assert.deepEqual(statusesIn(received), [503, 503, 503, 503, 200]);
    await sleep(2 * shedTickMs);
    await pass(0);
    await twins.compareAccount(account);
  });

  it("what is out of the ordinary goes to its route", async () => {
    const { account, keys } = await takeAccount();
    const [path] = lanePaths;
    const withHeader = (key: string, name: string, value: string) => bytesOf(callTo(path!, key, goodSessionBody, [[name, value]]));
    const ordinary = callsWith(keys.live)[0]!.toString("latin1");
    const odd: Record<string, Buffer> = {
      "a browser's call": withHeader(keys.live, "Origin", "https://shop.example.com"),
      "an expectation": withHeader(keys.live, "Expect", "100-continue"),
      "a test scenario": withHeader(keys.test, "Assay-Test-Scenario", "high"),
      "an empty Idempotency-Key": withHeader(keys.live, "Idempotency-Key", ""),
      "HTTP/1.0": Buffer.from(ordinary.replace("HTTP/1.1", "HTTP/1.0\r\nConnection: keep-alive"), "latin1"),
      "two hosts": withHeader(keys.live, "Host", "localhost"),
      "another content type": Buffer.from(ordinary.replace("application/json", "application/json; charset=latin1"), "latin1"),
      "a query": Buffer.from(ordinary.replace(path!, `${path}?a=b`), "latin1"),
    };
    for (const [what, call] of Object.entries(odd)) assert.equal(await countTaken(() => callBoth(what, [call])), 0, what);
    assert.equal(await countTaken(() => callBoth("an ordinary call", [Buffer.from(ordinary, "latin1")])), 1);
    await twins.compareAccount(account);
  });

  it("a duplicate waits for the first call's answer, and several calls in one packet are answered in order", async () => {
    const { account, keys } = await takeAccount();
    const call = bytesOf(callTo(lanePaths[0]!, keys.live, goodSessionBody, [["Idempotency-Key", "once"]]));
    const taken = await countTaken(() =>
      same("two at once", async (twin) => {
        const first = converse(twin, [call]);
        await letRead();
        return [await first, await converse(twin, [call])].join("\n");
      }),
    );
    assert.equal(taken, 2);
    const calls = Array.from({ length: 5 }, () => callsWith(keys.live)).flat();
    const pipelined = await countTaken(() =>
      same("one packet", async (twin) => {
        const { socket, ...conversation } = await openConversation(twin);
        socket.write(Buffer.concat([...calls, Buffer.from(goodbye)]));
        await conversation.untilClosed();
        return conversation.received();
      }),
    );
    assert.equal(pipelined, calls.length);
    await twins.compareAccount(account);
  });

  it("prepaid money covers the same calls", async () => {
    const { starter } = template;
    const prepaid = await openTwins(template, { clock, seed: random.seed, env: { CALL_PAYER: "developer", CREDIT_LIMIT_USD: "0" } });
    try {
      const received = await prepaid.same("prepaid", (twin) => converse(twin, Array.from({ length: prepaidCalls + 2 }, () => callsWith(starter.liveKey)[1]!)));
      assert.deepEqual(statusesIn(received), [...Array.from({ length: prepaidCalls }, () => 200), 402, 402, 200]);
      assert.equal(await prepaid.countTaken(), prepaidCalls + 1);
      await prepaid.compareAccount(starter);
    } finally {
      await prepaid.close();
    }
  });

  it("Redis counts the calls of both", { skip: hasRedisServer() ? false : "no redis-server" }, async () => {
    const { starter } = template;
    const redis = await startRedis();
    // Both count in the same Redis, one after the other: the second continues where the first ended.
    const counted = await openTwins(template, { clock, seed: random.seed, env: { REDIS_URL: redis.url } });
    try {
      const statusesOf = async (twin: Twin, count: number) => statusesIn(await converse(twin, Array.from({ length: count }, () => callsWith(starter.liveKey)[0]!))).slice(0, -1);
      assert.deepEqual(await statusesOf(counted.withLane, 30), Array.from({ length: 30 }, () => 200));
      assert.equal(await counted.countTaken(), 29);
      assert.deepEqual(await statusesOf(counted.without, 22), [...Array.from({ length: 20 }, () => 200), 429, 429]);
      assert.deepEqual(await statusesOf(counted.withLane, 2), [429, 429]);
    } finally {
      await counted.close();
      await redis.stop();
    }
  });
});
