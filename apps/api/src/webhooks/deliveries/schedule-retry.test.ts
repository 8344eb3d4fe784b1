import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askedWaitMs, attemptsMax, nextAttemptMs, retryAfterMsMax, retryWaitsMs } from "./schedule-retry.ts";

const hourMs = 3_600_000;
const nowMs = 1_800_000_000_000;

describe("the schedule of attempts", () => {
  it("has ten attempts over about three days, each wait longer than the one before", () => {
    assert.equal(attemptsMax, 10);
    const all = (random: number) => retryWaitsMs.map((_, index) => nextAttemptMs(index + 1, { nowMs, random })! - nowMs);
    const total = (random: number) => all(random).reduce((sum, each) => sum + each, 0) / hourMs;
    assert(total(0) > 68 && total(1) < 80, `${total(0)} to ${total(1)} hours`);
    assert.deepEqual(all(0), all(0).toSorted((one, other) => one - other));
    assert.equal(nextAttemptMs(attemptsMax, { nowMs, random: 0 }), undefined);
    assert.equal(nextAttemptMs(attemptsMax + 1, { nowMs, random: 0 }), undefined, "one more after a crash is the last one too");
  });

  it("never comes earlier than scheduled or asked for, never later than either allows", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: attemptsMax - 1 }), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.integer({ min: 0, max: retryAfterMsMax }), (attempts, random, askedMs) => {
        const waitMs = nextAttemptMs(attempts, { nowMs, random, askedMs })! - nowMs;
        const scheduled = retryWaitsMs[attempts - 1]!;
        assert(waitMs >= Math.max(scheduled, askedMs));
        assert(waitMs <= Math.max(scheduled * 1.1 + 1, askedMs));
      }),
    );
  });

  it("heeds Retry-After of 429 and 503, up to an hour, and nothing else", () => {
    const asked = (retryAfter: string | undefined, status = 429) => askedWaitMs({ status, retryAfter }, nowMs);
    assert.deepEqual([asked("120"), asked("120", 503), asked("120", 500), asked(undefined)], [120_000, 120_000, 0, 0]);
    assert.equal(asked("999999999"), hourMs);
    assert.equal(asked(new Date(nowMs + 60_000).toUTCString()), 60_000);
    assert.equal(asked(new Date(nowMs - 60_000).toUTCString()), 0);
    fc.assert(fc.property(fc.string(), (text) => assert(asked(text) >= 0 && asked(text) <= retryAfterMsMax)));
  });
});
