/**
 * Calls that arrive in pieces, together, or from clients that vanish. The ledger judges: every 200 that a client saw is
 * billed once with its receipt, nothing is billed twice, and nothing is billed that was not sent.
 */
import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { listeningAddress } from "../../src/http/listening-address.ts";
import { hasRedisServer, startRedis } from "../access/start-redis.ts";
import { type Conversation, letRead, openConversation, splitAnswers } from "../lane/converse.ts";
import { adPath, bytesOf, callTo, lanePaths, scoringPaths } from "../lane/draw-call.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { openApp, type OpenedApp } from "../open-app.ts";
import { goodSignals, waitUntil } from "../send.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { type CallBook, type CallPath, type CallRecord, createCallBook } from "./rig/call-book.ts";
import { pickFrom } from "./fuzz/draw-value.ts";
import { createSeededRandom, type SeededRandom } from "./rig/seeded-random.ts";

const splitsAtOnce = 16;
const pipelines = 40;
const unansweredMax = 256;

type Sent = { record: CallRecord | undefined; bytes: Buffer };

describe("a call on a socket", () => {
  let opened: OpenedApp;
  let service: { url: string };
  let account: TestAccount;
  let book: CallBook;

  before(async () => {
    opened = await openApp();
    account = await makeAccount(opened.deps.store, { tier: vastTier });
    await opened.app.listen({ host: "127.0.0.1", port: 0 });
    service = { url: listeningAddress(opened.app, "127.0.0.1") };
    book = createCallBook();
    await answerTo(openCall(scoringPaths[0] as CallPath));
  });
  after(() => opened.close());

  const countTaken = async ({ deps }: OpenedApp = opened) => Number(/^assay_lane_calls_total (\d+)$/m.exec(await deps.metrics.text())![1]);

  /** A call in the book. Its body has its serial, so that its entry can be found. */
  function openCall(path: CallPath, more: [name: string, value: string][] = []): Sent & { record: CallRecord } {
    const record = book.open(account, false, path);
    return { record, bytes: bytesOf(callTo(path, account.liveKey, record.body, more)) };
  }

  function noteAnswer(record: CallRecord | undefined, { status, head, body }: { status: number; head: string; body: string }): void {
    const receipt = /^assay-receipt: (\S+)\r$/im.exec(head)?.[1];
    const sessionId = /"session_id":"(\w+)"/.exec(body)?.[1];
    record?.attempts.push({ kind: "answered", status, text: body, sessionId, receipt, replayed: false });
  }

  /** What came back, in the order in which it was sent. What did not come back was cut. */
  function noteConversation(sent: readonly Sent[], conversation: Conversation): number[] {
    const { answers } = splitAnswers(conversation.received());
    for (const [index, { record }] of sent.entries()) {
      const answer = answers[index];
      if (answer) noteAnswer(record, answer);
      else record?.attempts.push({ kind: "cut", reason: "the schedule" });
    }
    assert.ok(answers.length <= sent.length, "no answer comes twice");
    return answers.map(({ status }) => status);
  }

  async function answerTo(sent: Sent): Promise<string> {
    const conversation = await openConversation(service);
    conversation.socket.write(sent.bytes);
    await conversation.untilAnswers(1);
    conversation.socket.destroy();
    noteConversation([sent], conversation);
    return conversation.received();
  }

  /** Until what vanished clients sent is billed: charges are committed in the order in which they came. */
  async function settle(): Promise<void> {
    await letRead();
    assert.match(await answerTo(openCall("/api/ml/predict")), /^HTTP\/1\.1 200 /);
  }

  const audit = () => auditCalls(opened.deps.store, book.records);

  function seed(test: TestContext): SeededRandom {
    const random = createSeededRandom();
    test.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
    return random;
  }

  /** Writes the bytes in pieces, and lets the server read each of them. */
  async function writePieces({ socket }: Conversation, bytes: Buffer, ends: readonly number[]): Promise<void> {
    let from = 0;
    for (const end of [...ends, bytes.length]) {
      if (end <= from) continue;
      socket.write(bytes.subarray(from, end));
      from = end;
      await letRead();
    }
  }

  it("is answered and billed once wherever it is split", async () => {
    const calls: { sent: Sent; at: number }[] = [];
    const { length } = openCall("/api/ml/predict").bytes;
    book.records.pop();
    for (let at = 1; at < length; at += 1) calls.push({ sent: openCall("/api/ml/predict"), at });
    const had = await countTaken();
    const work = async () => {
      for (let next = calls.shift(); next; next = calls.shift()) {
        const { sent, at } = next;
        const conversation = await openConversation(service);
        await writePieces(conversation, sent.bytes, [at]);
        await conversation.untilAnswers(1);
        assert.deepEqual(noteConversation([sent], conversation), [200], `split at ${at}`);
        conversation.socket.destroy();
      }
    };
    await Promise.all(Array.from({ length: splitsAtOnce }, work));
    assert.ok((await countTaken()) - had > 100, "a call whose head is split is still an ordinary one");
    await audit();
  });

  it("of any path is answered and billed once in any number of pieces, and the next call on its connection too", async (test) => {
    const random = seed(test);
    for (let made = 0; made < pipelines; made += 1) {
      const conversation = await openConversation(service);
      const sent = Array.from({ length: 3 }, () => drawSent(random));
      const all = Buffer.concat(sent.map(({ bytes }) => bytes));
      const ends = Array.from({ length: random.between(1, 8) }, () => random.between(1, all.length - 1)).toSorted((left, right) => left - right);
      await writePieces(conversation, all, ends);
      await conversation.untilAnswers(sent.length);
      const statuses = noteConversation(sent, conversation);
      assert.equal(statuses.length, sent.length, `pieces that end at ${ends.join()}`);
      conversation.socket.destroy();
    }
    await audit();
  });

  /** Mostly ordinary calls; also such that only their routes can answer, and reads. */
  function drawSent(random: SeededRandom): Sent {
    const path = pickFrom(random, scoringPaths) as CallPath;
    return pickFrom<() => Sent>(random, [
      () => openCall(path),
      () => openCall(path),
      () => openCall(path, [["Idempotency-Key", `socket-${book.records.length}`]]),
      () => openCall("/api/ml/analyze"),
      () => openCall(path, [["Origin", "https://example.com"]]),
      () => ({ record: undefined, bytes: bytesOf(callTo(adPath, account.liveKey, "{}")) }),
      () => ({ record: undefined, bytes: bytesOf(callTo(path, account.liveKey, '{"session_data":{}}')) }),
      () => ({ record: undefined, bytes: bytesOf(callTo(path, "unknown", JSON.stringify({ session_data: goodSignals }))) }),
      () => ({ record: undefined, bytes: Buffer.from("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n") }),
    ])();
  }

  const expected = ({ record, bytes }: Sent): RegExp => (record ? /^200$/ : bytes.includes("health") ? /^200$/ : bytes.includes(adPath) ? /^20[04]$/ : bytes.includes("unknown") ? /^401$/ : /^400$/);

  it("that is pipelined with others is answered in its turn, once, and billed once", async (test) => {
    const random = seed(test);
    const had = await countTaken();
    for (let made = 0; made < pipelines; made += 1) {
      const conversation = await openConversation(service);
      const sent = Array.from({ length: random.between(2, 20) }, () => drawSent(random));
      await writePieces(conversation, Buffer.concat(sent.map(({ bytes }) => bytes)), random.isTrue(0.5) ? [random.between(1, 1_000)] : []);
      await conversation.untilAnswers(sent.length);
      await letRead();
      const statuses = noteConversation(sent, conversation);
      for (const [index, each] of sent.entries()) assert.match(String(statuses[index]), expected(each), `${index}: ${each.bytes.toString().slice(0, 300)}`);
      conversation.socket.destroy();
    }
    assert.ok((await countTaken()) - had > pipelines, "the lane takes calls among others");
    await audit();
  });

  it("that has 256 unanswered ones before it closes the connection; 256 are all answered [threat: pipelining-flood]", async () => {
    for (const [count, isClosed] of [[unansweredMax, false], [unansweredMax + 1, true]] as const) {
      const conversation = await openConversation(service);
      const sent = Array.from({ length: count }, () => openCall("/api/ml/predict"));
      conversation.socket.write(Buffer.concat(sent.map(({ bytes }) => bytes)));
      await conversation.untilAnswers(count);
      // A node that lags takes them one after the other, and reads no more of them meanwhile: then none is too many.
      const wasClosed = conversation.isClosed();
      assert(isClosed || !wasClosed, `${count} calls`);
      assert.equal(noteConversation(sent, conversation).length, wasClosed ? 0 : count);
      // The count is lowered with each answer, or this one would be too many.
      if (!isClosed) {
        const next = openCall("/api/ml/predict");
        conversation.socket.write(next.bytes);
        await conversation.untilAnswers(count + 1);
        noteAnswer(next.record, conversation.answers()[count]!);
      }
      conversation.socket.destroy();
    }
    await settle();
    await audit();
  });

  it("whose client resets or half-closes the connection at any step is billed at most once, and harms no other", async (test) => {
    const random = seed(test);
    const ends: Record<string, (conversation: Conversation) => void> = {
      reset: ({ socket }) => void socket.resetAndDestroy(),
      "half-close": ({ socket }) => void socket.end(),
      close: ({ socket }) => void socket.destroy(),
    };
    for (const path of lanePaths) {
      for (const [name, end] of Object.entries(ends)) {
        const sample = path === adPath ? bytesOf(callTo(adPath, account.liveKey, "{}")) : openCall(path as CallPath).bytes;
        if (path !== adPath) book.records.pop();
        const headEnd = sample.indexOf("\r\n\r\n") + 4;
        for (const at of [1, headEnd - 1, headEnd, headEnd + 1, sample.length - 1, sample.length]) {
          for (const turns of [0, 1, 2, random.between(3, 10)]) {
            const sent: Sent = path === adPath ? { record: undefined, bytes: sample } : openCall(path as CallPath);
            const conversation = await openConversation(service);
            conversation.socket.write(sent.bytes.subarray(0, at));
            for (let turn = 0; turn < turns; turn += 1) await nextTurn();
            end(conversation);
            await conversation.untilClosed();
            noteConversation([sent], conversation);
          }
        }
        const next = openCall("/api/ml/predict");
        assert.match(await answerTo(next), /^HTTP\/1\.1 200 /, `after a ${name}`);
      }
    }
    await settle();
    const { unanswered } = await audit();
    test.diagnostic(`${unanswered} calls were billed without an answer`);
  });

  it("that waits for Redis is answered and billed once when Redis is slow or lost", { skip: hasRedisServer() ? false : "no redis-server" }, async () => {
    const redis = await startRedis();
    const counted = await openApp({ REDIS_URL: redis.url });
    const { liveKey } = await makeAccount(counted.deps.store, { tier: vastTier });
    await counted.app.listen({ host: "127.0.0.1", port: 0 });
    const url = listeningAddress(counted.app, "127.0.0.1");
    try {
      const seen: string[] = [];
      let sent = 0;
      const callAll = async (count: number, meanwhile: () => unknown) => {
        sent += count;
        const conversations = await Promise.all(Array.from({ length: count }, () => openConversation({ url })));
        for (const { socket } of conversations) socket.write(bytesOf(callTo("/api/ml/predict", liveKey, JSON.stringify({ session_data: goodSignals }))));
        const done = meanwhile();
        for (const conversation of conversations) {
          await conversation.untilAnswers(1);
          seen.push(/^assay-receipt: (\S+)\r$/im.exec(conversation.received())?.[1] ?? conversation.received());
          conversation.socket.destroy();
        }
        await done;
      };
      const isShared = () => counted.deps.limiter.mode() === "redis";
      /** Ten calls at a time, until the lane has taken one: on a busy machine a key may be out of its memory at any moment. */
      const callUntilTaken = (meanwhile: () => unknown, begin: () => Promise<void>) =>
        waitUntil(async () => {
          await begin();
          const had = await countTaken(counted);
          await callAll(10, meanwhile);
          return (await countTaken(counted)) > had;
        }, "the lane takes a call");
      const whenShared = async () => {
        process.kill(redis.pid, "SIGCONT");
        await waitUntil(isShared, "Redis counts");
      };
      await callAll(1, () => {});
      await callUntilTaken(async () => {
        process.kill(redis.pid, "SIGSTOP");
        await sleep(100);
        process.kill(redis.pid, "SIGCONT");
      }, whenShared);
      await callUntilTaken(() => process.kill(redis.pid, "SIGSTOP"), whenShared);
      assert.equal(isShared(), false, "this node counts by itself");
      await callUntilTaken(() => redis.kill(), async () => {});
      const entries = await counted.deps.store.db.selectFrom("ledger_entries").select(["seq", "hash"]).where("kind", "=", "call").execute();
      assert.deepEqual(seen.toSorted(), entries.map(({ seq, hash }) => `${seq}.${hash}`).toSorted());
      assert.equal(seen.length, sent);
    } finally {
      await counted.close();
      await redis.stop();
    }
  });
});
