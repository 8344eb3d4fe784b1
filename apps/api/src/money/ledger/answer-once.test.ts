import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Failure } from "../../failure/failure.ts";
import { promised } from "../../store/waiter.ts";
import { type AnswerOnceOptions, type BillableCall, type BilledAnswer, createAnswerOnce } from "./answer-once.ts";
import type { CallCharge, ChargeOutcome } from "./charge-batch.ts";
import type { Charger } from "./charge-call.ts";
import type { ReadAnswer } from "./read-answer.ts";

/** Charges stay open until the test ends them. */
function openCharger() {
  const open: { call: CallCharge; end: (outcome: ChargeOutcome) => void }[] = [];
  const charger: Charger = {
    charge: (call, waiter) => open.push({ call, end: (outcome) => waiter.settle(outcome) }),
    depth: () => open.length,
    drain: () => Promise.resolve(),
  };
  return { charger, open };
}

const callWith = (body: string): BillableCall => ({
  charge: { accountId: "acct_1", mode: "live", ref: "sess_1", endpoint: "predict", atMs: 0, shareBps: 6_800, verdict: undefined, idempotency: undefined },
  body,
  idempotencyKey: "order-1",
  input: () => "the same request",
});

const nothingStored: ReadAnswer = () => Promise.resolve(undefined);

function promisingAnswerOnce(charger: Charger, options: Partial<AnswerOnceOptions> = {}) {
  const answerOnce = createAnswerOnce(charger, { readAnswer: nothingStored, ...options });
  return (call: BillableCall) => promised<BilledAnswer>((waiter) => answerOnce(call, waiter));
}

describe("a duplicate of a call in progress", () => {
  it("gets idempotency_in_progress after the longest wait, and is not billed", async () => {
    const { charger, open } = openCharger();
    const answerOnce = promisingAnswerOnce(charger, { waitMsMax: 5 });
    const first = answerOnce(callWith("first"));
    await assert.rejects(answerOnce(callWith("second")), { code: "idempotency_in_progress" });
    assert.equal(open.length, 1, "one charge for both");
    open[0]!.end({ kind: "charged", receipt: "1.abc" });
    assert.deepEqual(await first, { body: "first", receipt: "1.abc", replayed: false });
  });

  it("gets the first call's answer if it arrives in time", async () => {
    const { charger, open } = openCharger();
    const answerOnce = promisingAnswerOnce(charger);
    const [first, second] = [answerOnce(callWith("first")), answerOnce(callWith("second"))];
    open[0]!.end({ kind: "charged", receipt: "1.abc" });
    assert.equal((await first).replayed, false);
    assert.deepEqual(await second, { body: "first", receipt: "1.abc", replayed: true });
    assert.equal(open.length, 1);
  });

  it("of a call that was refused at once is charged anew", async () => {
    const { charger, open } = openCharger();
    const full = new Error("the queue is full");
    let isFull = true;
    const answerOnce = promisingAnswerOnce({ ...charger, charge: (call, waiter) => (isFull ? waiter.fail(full) : charger.charge(call, waiter)) });
    await assert.rejects(answerOnce(callWith("first")), full);
    isFull = false;
    const second = answerOnce(callWith("second"));
    open[0]!.end({ kind: "charged", receipt: "1.abc" });
    assert.deepEqual(await second, { body: "second", receipt: "1.abc", replayed: false });
  });
});

describe("a call whose session was used", () => {
  const used: ChargeOutcome = { kind: "used" };
  /** Judged with its token, and without it on demand. */
  function tokenCall(options: Partial<BillableCall> = {}) {
    const call = callWith("attested");
    const asserted = () => ({ charge: { ...call.charge, ref: "sess_2" }, body: "asserted" });
    return { ...call, asserted, ...options };
  }

  for (const [name, idempotencyKey] of [["without a key", undefined], ["with a key", "order-1"]] as const) {
    it(`is charged anew without its token, ${name}`, async () => {
      const { charger, open } = openCharger();
      const answer = promisingAnswerOnce(charger)(tokenCall({ idempotencyKey }));
      open[0]!.end(used);
      assert.equal(open.length, 2);
      assert.deepEqual([open[1]!.call.ref, open[1]!.call.idempotency?.body], ["sess_2", idempotencyKey && "asserted"]);
      open[1]!.end({ kind: "charged", receipt: "2.abc" });
      assert.deepEqual(await answer, { body: "asserted", receipt: "2.abc", replayed: false });
    });

    it(`fails if it cannot be judged without its token, or not even then, ${name}`, async () => {
      const { charger, open } = openCharger();
      const answerOnce = promisingAnswerOnce(charger);
      const { asserted: _, ...tokenOnly } = tokenCall({ idempotencyKey });
      const answers = [tokenOnly, tokenCall({ idempotencyKey }), tokenCall({ idempotencyKey }), tokenCall({ idempotencyKey, asserted: () => assert.fail("a bug") })];
      const outcomes = [];
      for (const [index, call] of answers.entries()) {
        const answer = answerOnce(call);
        open.at(-1)!.end(used);
        if (index === 1) open.at(-1)!.end(used);
        if (index === 2) open.at(-1)!.end({ kind: "refused" });
        outcomes.push(await answer.then(() => "answered", (error: Failure) => error.code));
      }
      assert.deepEqual(outcomes, ["session_token_used", "session_token_used", "payment_required", "ERR_ASSERTION"]);
      assert.equal(open.length, 6, "two of them were charged a second time");
      const next = answerOnce(tokenCall({ idempotencyKey }));
      assert.equal(open.length, 7, "a failed call leaves its key to the next");
      open.at(-1)!.end({ kind: "charged", receipt: "3.abc" });
      assert.equal((await next).body, "attested");
    });
  }

  it("keeps its duplicates waiting for the answer that it gets in the end", async () => {
    const { charger, open } = openCharger();
    const answerOnce = promisingAnswerOnce(charger);
    const [first, second] = [answerOnce(tokenCall()), answerOnce(tokenCall())];
    open[0]!.end(used);
    const third = answerOnce(tokenCall());
    open[1]!.end({ kind: "charged", receipt: "2.abc" });
    assert.deepEqual([await first, await second, await third], [false, true, true].map((replayed) => ({ body: "asserted", receipt: "2.abc", replayed })));
    assert.equal(open.length, 2);
  });
});

describe("a call that cannot be charged", () => {
  const refusal = new Failure("session_token_expired", "The session_token has expired.");
  const refused = (options: Partial<BillableCall> = {}): BillableCall => ({ ...callWith("never sent"), refusal, ...options });

  it("fails at once without a key, and reads nothing", async () => {
    const { charger, open } = openCharger();
    const answerOnce = promisingAnswerOnce(charger, { readAnswer: () => assert.fail("read") });
    await assert.rejects(answerOnce(refused({ idempotencyKey: undefined })), refusal);
    assert.equal(open.length, 0);
  });

  it("gets the answer of the first call with its key, which is under way", async () => {
    const { charger, open } = openCharger();
    const answerOnce = promisingAnswerOnce(charger, { readAnswer: () => assert.fail("read") });
    const [first, second] = [answerOnce(callWith("first")), answerOnce(refused())];
    const conflict = assert.rejects(answerOnce(refused({ input: () => "another request" })), { code: "idempotency_conflict" });
    open[0]!.end({ kind: "charged", receipt: "1.abc" });
    assert.equal((await first).replayed, false);
    assert.deepEqual(await second, { body: "first", receipt: "1.abc", replayed: true });
    await conflict;
    assert.equal(open.length, 1);
  });
});
