import assert from "node:assert/strict";
import { describe, it } from "node:test";
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
