import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "../../../test/make-account.ts";
import { makeAnswerOnce, makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { readLedger, receiptOf } from "../../../test/read-ledger.ts";
import { type Answer, goodBody, goodSignals, predict, waitUntil } from "../../../test/send.ts";
import type { TestService } from "../../../test/start-service.ts";
import { msPerDay } from "../../formats/time.ts";
import { Failure } from "../../failure/failure.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { openStore } from "../../store/open-store.ts";
import { promised } from "../../store/waiter.ts";
import type { BillableCall, BilledAnswer } from "./answer-once.ts";
import type { CallCharge } from "./charge-batch.ts";

const otherBody = { session_data: { ...goodSignals, session_duration: 181 } };
const callsAtOnce = 50;

describeBothStores("an Idempotency-Key", (open, dialect) => {
  let database: TestDatabase;
  let nodes: TestService[];
  let account: TestAccount;
  let keysMade = 0;

  before(async () => {
    database = await open();
    // A SQLite file has one node only.
    nodes = await Promise.all(Array.from({ length: dialect === "postgres" ? 2 : 1 }, () => database.serve()));
    account = await makeAccount(database.store, { tier: vastTier });
  });

  const newKey = () => `order-${(keysMade += 1)}`;
  type CallOptions = { key?: string; body?: unknown; node?: number; path?: string };
  const call = (idempotencyKey: string, { key = account.liveKey, body = goodBody, node = 0, path = "/api/ml/predict" }: CallOptions = {}) =>
    predict(nodes[node % nodes.length]!, key, { body, path, headers: { "idempotency-key": idempotencyKey } });
  const countEntries = async (who = account) => (await readLedger(database.store, who.accountId)).length;

  /** One charge, one answer: all callers got the same bytes and the same receipt. */
  async function assertOneAnswer(answers: Answer[], entriesBefore: number): Promise<void> {
    const inProgress = answers.filter(({ status }) => status === 409);
    for (const answer of inProgress) {
      assert.equal(answer.json().error, "idempotency_in_progress");
      assert.equal(answer.headers["retry-after"], "1");
    }
    const answered = answers.filter(({ status }) => status === 200);
    assert.equal(answered.length + inProgress.length, answers.length, answers.map(({ status }) => status).join());
    assert(answered.length > 0);
    assert.equal(new Set(answered.map(({ text }) => text)).size, 1);
    assert.equal(new Set(answered.map(({ headers }) => headers["assay-receipt"])).size, 1);
    const firsts = answered.filter(({ headers }) => headers["idempotent-replayed"] === undefined);
    assert.equal(firsts.length, 1, "only the answer that was charged is not marked as a replay");
    const entries = await readLedger(database.store, account.accountId);
    assert.equal(entries.length, entriesBefore + 1);
    const { seq, hash, ref } = entries.at(-1)!;
    assert.deepEqual(receiptOf(answered[0]!), { seq, hash });
    assert.equal(answered[0]!.json().session_id, ref);
  }

  it("replays the stored answer to a retry, charged once", async () => {
    const entriesBefore = await countEntries();
    const key = newKey();
    await assertOneAnswer([await call(key), await call(key), await call(key, { node: 1 })], entriesBefore);
  });

  it("bills once when fifty retries race on one node [threat: wrong-bill]", async () => {
    const entriesBefore = await countEntries();
    const key = newKey();
    await assertOneAnswer(await Promise.all(Array.from({ length: callsAtOnce }, () => call(key))), entriesBefore);
  });

  if (dialect === "postgres") {
    it("bills once when fifty retries race on two nodes, repeatedly", async () => {
      for (let round = 0; round < 5; round += 1) {
        const entriesBefore = await countEntries();
        const key = newKey();
        const answers = await Promise.all(Array.from({ length: callsAtOnce }, (_, index) => call(key, { node: index })));
        await assertOneAnswer(answers, entriesBefore);
      }
    });

    it("bills each of many keys once when their retries race on two nodes", async () => {
      const entriesBefore = await countEntries();
      const keys = Array.from({ length: 20 }, newKey);
      const answers = await Promise.all(
        keys.flatMap((key) => [0, 1, 0, 1].map(async (node) => ({ key, answer: await call(key, { node }) }))),
      );
      for (const some of Map.groupBy(answers, ({ key }) => key).values()) {
        const texts = new Set(some.filter(({ answer }) => answer.status === 200).map(({ answer }) => answer.text));
        assert.equal(texts.size, 1);
      }
      assert.equal(await countEntries(), entriesBefore + keys.length);
    });
  }

  it("is shared by both paths of the endpoint", async () => {
    const entriesBefore = await countEntries();
    const key = newKey();
    await assertOneAnswer([await call(key), await call(key, { path: "/ml/predict" })], entriesBefore);
  });

  it("ignores field order, number notation and unknown fields", async () => {
    const entriesBefore = await countEntries();
    const key = newKey();
    const reordered = `{"ignored": 1, "session_data": {${Object.entries(goodSignals).toReversed().map(([name, value]) => `"${name}": ${value === 180 ? "1.8e2" : value}`).join(",")}}}`;
    await assertOneAnswer([await call(key), await call(key, { body: reordered })], entriesBefore);
  });

  it("is refused with another body, concurrently or later", async () => {
    const entriesBefore = await countEntries();
    const key = newKey();
    assert.equal((await call(key)).status, 200);
    const conflict = await call(key, { body: otherBody, node: 1 });
    assert.equal(conflict.status, 409);
    assert.deepEqual(conflict.json(), {
      error: "idempotency_conflict",
      message: "This Idempotency-Key was used for another request. Use a new key.",
    });
    assert.equal(conflict.headers["assay-receipt"], undefined);
    assert.equal((await call(key)).status, 200, "the conflict left the stored answer intact");
    const racing = newKey();
    const raced = await Promise.all([goodBody, otherBody, goodBody, otherBody].map((body, node) => call(racing, { body, node })));
    const statuses = raced.map(({ status }) => status);
    assert(statuses[0] !== statuses[1], `one body won: ${statuses.join()}`);
    assert.deepEqual(statuses.toSorted((one, other) => one - other), [200, 200, 409, 409]);
    assert.equal(await countEntries(), entriesBefore + 2);
  });

  it("is scoped to an account and a mode", async () => {
    const other = await makeAccount(database.store);
    const key = newKey();
    const answers = [await call(key), await call(key, { key: other.liveKey }), await call(key, { key: account.testKey }), await call(key, { key: other.testKey })];
    assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 200]);
    assert.equal(new Set(answers.map((answer) => answer.json().session_id)).size, 4);
    const replay = await call(key, { key: account.testKey });
    assert.equal(replay.text, answers[2]!.text);
    assert.equal(receiptOf(replay), undefined);
    assert.equal(await countEntries(other), 1);
  });

  it("has 1 to 255 characters", async () => {
    const entriesBefore = await countEntries();
    for (const wrong of ["", "k".repeat(256)]) {
      const answer = await call(wrong);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.json(), { error: "invalid_request", message: "Idempotency-Key must have 1 to 255 characters." });
    }
    for (const right of ["k", "k".repeat(255), `weird "quotes" {braces}, 'ticks' \\ NULL`]) {
      const answer = await call(right);
      assert.equal(answer.status, 200);
      assert.equal((await call(right)).text, answer.text);
    }
    assert.equal(await countEntries(), entriesBefore + 3);
  });

  it("is not consumed by a refused call", async () => {
    const key = newKey();
    assert.equal((await call(key, { body: { session_data: { user_engagement: 7 } } })).status, 400);
    assert.equal((await call(key, { key: `${account.liveKey}0` })).status, 401);
    const answer = await call(key);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers["idempotent-replayed"], undefined);
  });

  it("counts against the rate limits on every use", async () => {
    const starter = await makeAccount(database.store);
    const key = newKey();
    const remaining = [];
    for (let use = 0; use < 3; use += 1) {
      const answer = await call(key, { key: starter.liveKey });
      remaining.push(/"burst";r=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]);
    }
    assert.deepEqual(remaining, ["49", "48", "47"]);
    assert.equal(await countEntries(starter), 1);
  });

  it("is stored as a hash only", async () => {
    const key = "a-key-that-must-not-be-stored";
    assert.equal((await call(key)).status, 200);
    const rows = await database.store.db.selectFrom("idempotency_answers").selectAll().execute();
    assert(rows.length > 0);
    assert(!JSON.stringify(rows).includes(key));
    for (const { key_hash } of rows) assert.match(key_hash, /^[\w-]{22}$/);
  });

  /** Sends a call over a socket and never reads the answer. */
  async function sendUnheard(key: string, who: TestAccount): Promise<Socket> {
    const { hostname, port } = new URL(nodes[0]!.url);
    const text = JSON.stringify(goodBody);
    const head = `POST /api/ml/predict HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${who.liveKey}\r\nIdempotency-Key: ${key}`;
    const socket = connect(Number(port), hostname).on("error", () => {});
    await once(socket, "connect");
    socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    return socket;
  }

  it("returns an answer that was lost in transit", async () => {
    const victim = await makeAccount(database.store, { tier: vastTier });
    const key = newKey();
    const socket = await sendUnheard(key, victim);
    await waitUntil(async () => (await countEntries(victim)) === 1, "the call whose answer is not read is billed");
    socket.destroy();
    const retry = await call(key, { key: victim.liveKey, node: 1 });
    assert.equal(retry.status, 200);
    assert.equal(retry.headers["idempotent-replayed"], "true");
    const [entry, ...more] = await readLedger(database.store, victim.accountId);
    assert.deepEqual(more, []);
    assert.equal(retry.json().session_id, entry?.ref);
    assert.deepEqual(receiptOf(retry), { seq: entry?.seq, hash: entry?.hash });
  });

  it("charges once whenever the connection breaks, and the retry gets the answer", async () => {
    const victim = await makeAccount(database.store, { tier: vastTier });
    const keys = Array.from({ length: 40 }, newKey);
    for (const [index, key] of keys.entries()) {
      const socket = await sendUnheard(key, victim);
      // Some break before the request is read, some during the commit, some after it.
      for (let turn = 0; turn < index * 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
      assert.equal((await call(key, { key: victim.liveKey, node: index })).status, 200);
    }
    assert.equal(await countEntries(victim), keys.length);
  });

  /** The tests below move the clock, or use an endpoint of their own. */
  function answerAt(clock: { nowMs: number }, who: TestAccount) {
    const answerOnce = makeAnswerOnce(database.store, clock, makeCharger(database.store, clock).charger);
    return (idempotencyKey: string, { endpoint = "predict", input = "same" } = {}) => {
      const charge = makeCharge({ accountId: who.accountId, atMs: clock.nowMs, endpoint });
      const billable: BillableCall = { charge, body: JSON.stringify({ session_id: charge.ref }), idempotencyKey, input: () => input };
      return promised<BilledAnswer>((waiter) => answerOnce(billable, waiter));
    };
  }

  it("expires after 24 hours and can then be used again", async () => {
    const who = await makeAccount(database.store, { nowMs: 1_000 });
    const clock = { nowMs: Date.now() };
    const answer = answerAt(clock, who);
    const first = await answer("daily");
    clock.nowMs += msPerDay;
    const still = await answer("daily");
    assert.deepEqual([still.replayed, still.body], [true, first.body]);
    clock.nowMs += 1;
    const anew = await answer("daily", { input: "another request, even" });
    assert.equal(anew.replayed, false);
    assert.equal(anew.receipt?.split(".")[0], "2");
    clock.nowMs += msPerDay;
    assert.equal((await answer("daily", { input: "another request, even" })).body, anew.body, "the new answer is stored for another day");
    assert.equal(await countEntries(who), 2);
  });

  it("is refused on another endpoint", async () => {
    const who = await makeAccount(database.store);
    const answer = answerAt({ nowMs: Date.now() }, who);
    await answer("one-endpoint");
    await assert.rejects(answer("one-endpoint", { endpoint: "score" }), { code: "idempotency_conflict" });
    const racing = await Promise.allSettled([answer("two-endpoints"), answer("two-endpoints", { endpoint: "score" })]);
    assert.deepEqual(racing.map(({ status }) => status), ["fulfilled", "rejected"]);
    assert.equal(await countEntries(who), 2);
  });

  /** Calls of one account through an own charger. Not in the past: the services' job deletes what has expired. */
  async function openAnswers(clock: { nowMs: number }) {
    const who = await makeAccount(database.store, { nowMs: 1_000 });
    const answerOnce = makeAnswerOnce(database.store, clock, makeCharger(database.store, clock).charger);
    const answer = (idempotencyKey: string | undefined, options: Partial<BillableCall> & { charged?: Partial<CallCharge> } = {}) => {
      const { charged, ...more } = options;
      const charge = makeCharge({ accountId: who.accountId, atMs: clock.nowMs, ...charged });
      const billable = { charge, body: JSON.stringify({ session_id: charge.ref }), idempotencyKey, input: () => "same", ...more };
      return promised<BilledAnswer>((waiter) => answerOnce(billable, waiter));
    };
    return { who, answer };
  }
  const refusal = new Failure("session_token_expired", "The session_token has expired.");

  it("replays the stored answer to a call that could not be charged any more, and refuses it where nothing is stored", async () => {
    const clock = { nowMs: Date.now() };
    const { who, answer } = await openAnswers(clock);
    const [first, test] = [await answer("kept"), await answer("kept", { charged: { mode: "test" } })];
    assert.deepEqual(await answer("kept", { refusal }), { ...first, replayed: true });
    assert.deepEqual(await answer("kept", { refusal, charged: { mode: "test" } }), { ...test, replayed: true });
    await assert.rejects(answer("kept", { refusal, input: () => "another request" }), { code: "idempotency_conflict" });
    await assert.rejects(answer("kept", { refusal, charged: { endpoint: "score" } }), { code: "idempotency_conflict" });
    await assert.rejects(answer("unknown", { refusal }), refusal);
    clock.nowMs += msPerDay;
    assert.equal((await answer("kept", { refusal })).body, first.body);
    clock.nowMs += 1;
    await assert.rejects(answer("kept", { refusal }), refusal, "it has expired");
    assert.equal(await countEntries(who), 1);
    assert.equal((await answer("unknown")).replayed, false, "a refusal leaves its key unused");
  });

  it("of a call that cannot be charged is answered as overloaded while the store cannot be read, and bills nothing", async () => {
    const { store } = await openStore(database, { nowMs: Date.now(), onConnectionError: () => {} });
    const clock = { nowMs: Date.now() };
    const who = await makeAccount(database.store);
    const answerOnce = makeAnswerOnce(store, clock, makeCharger(database.store, clock).charger);
    await store.close();
    const charge = makeCharge({ accountId: who.accountId, atMs: clock.nowMs });
    const answer = promised<BilledAnswer>((waiter) => answerOnce({ charge, body: "{}", idempotencyKey: "unread", input: () => "same", refusal }, waiter));
    await assert.rejects(answer, { code: "overloaded" });
    assert.equal(await countEntries(who), 0);
  });

  it("keeps the answer that a call with a used session got in the end", async () => {
    const nowMs = Date.now();
    const { who, answer } = await openAnswers({ nowMs });
    const attestation = { sessionId: timeOrderedId("vis", nowMs), signals: 31, issues: null };
    const asserted = () => {
      const charge = makeCharge({ accountId: who.accountId, atMs: nowMs, attestation: { sessionId: undefined, signals: 0, issues: "token_used" } });
      return { charge, body: JSON.stringify({ session_id: charge.ref, asserted: true }) };
    };
    const copy = { charged: { attestation }, asserted };
    const first = await answer("attested", copy);
    const second = await answer("asserted", copy);
    const racing = await Promise.all(Array.from({ length: 10 }, () => answer("racing", copy)));
    assert.deepEqual([first.body.includes("asserted"), second.body.includes("asserted")], [false, true]);
    assert.deepEqual(await answer("attested", copy), { ...first, replayed: true }, "a replay comes before the session");
    assert.deepEqual(await answer("asserted", copy), { ...second, replayed: true });
    assert.deepEqual(await answer("asserted", { refusal }), { ...second, replayed: true });
    assert.equal(new Set(racing.map(({ receipt }) => receipt)).size, 1);
    assert.equal(racing.filter(({ replayed }) => !replayed).length, 1);
    const unkeyed = await answer(undefined, copy);
    assert.equal(unkeyed.body.includes("asserted"), true);
    await assert.rejects(answer("last", { charged: { attestation } }), { code: "session_token_used" });
    await assert.rejects(answer(undefined, { charged: { attestation } }), { code: "session_token_used" });
    assert.equal(await countEntries(who), 4);
    assert.equal((await answer("last")).replayed, false, "a call that failed leaves its key unused");
  });
});
