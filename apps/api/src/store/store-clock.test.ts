import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { msPerHour } from "../formats/time.ts";
import { correctOffset, offsetOf, openStoreClock } from "./store-clock.ts";

/** Test and server share a machine, so their clocks differ only by the time of a query. */
const apartMsMax = 5_000;

describeBothStores("the clock of a node", (open, dialect) => {
  const isShared = dialect === "postgres";
  it(isShared ? "is the database's and does not follow jumps of the machine's clock" : "is the machine's", async () => {
    const { store } = await open();
    let jumpMs = -msPerHour;
    const clock = await openStoreClock(store, { machineNowMs: () => Date.now() + jumpMs, monotonicMs: () => performance.now(), onError: () => {} });
    try {
      for (jumpMs of [-msPerHour, msPerHour, 365 * 24 * msPerHour, 0]) {
        const aheadMs = clock.nowMs() - Date.now();
        assert.ok(Number.isInteger(clock.nowMs()), "whole milliseconds");
        assert.ok(Math.abs(aheadMs - (isShared ? 0 : jumpMs)) < apartMsMax, `${aheadMs} ms ahead after a jump of ${jumpMs}`);
      }
    } finally {
      clock.stop();
    }
  });
});

/** A reading of a store whose clock is `offMs` ahead of the monotonic one, at some time between question and answer. */
const readings = (offMs: number) =>
  fc.record({ askedMs: fc.integer({ min: 0, max: 1e9 }), tripMs: fc.integer({ min: 0, max: 10_000 }), readAfter: fc.double({ min: 0, max: 1, noNaN: true }) }).map(({ askedMs, tripMs, readAfter }) => ({
    askedMs,
    answeredMs: askedMs + tripMs,
    storeMs: askedMs + tripMs * readAfter + offMs,
  }));
const anyOffset = fc.integer({ min: -1e12, max: 1e12 });
const roundingMs = 0.001;

describe("a reading of the database's clock", () => {
  it("is off by at most half the round trip, whenever the clock was read", () => {
    fc.assert(
      fc.property(anyOffset.chain((offMs) => fc.tuple(fc.constant(offMs), readings(offMs))), ([offMs, reading]) => {
        assert.ok(Math.abs(offsetOf(reading) - offMs) <= (reading.answeredMs - reading.askedMs) / 2 + roundingMs);
      }),
    );
  });

  it("never makes the clock less exact, and moves it only as far as the reading proves", () => {
    fc.assert(
      fc.property(anyOffset.chain((offMs) => fc.tuple(fc.constant(offMs), readings(offMs))), fc.integer({ min: -20_000, max: 20_000 }), ([offMs, reading], wrongByMs) => {
        const corrected = correctOffset(offMs + wrongByMs, reading);
        const tripMs = reading.answeredMs - reading.askedMs;
        assert.ok(Math.abs(corrected - offMs) <= Math.min(Math.abs(wrongByMs), tripMs) + roundingMs, "at least as exact as before, and as the reading");
        if (Math.abs(corrected - offMs - wrongByMs) > roundingMs) assert.ok(Math.sign(corrected - offMs - wrongByMs) === -Math.sign(wrongByMs), "towards the store's time");
      }),
    );
  });

  it("moves a clock that it does not contradict not at all, however slow the answer was", () => {
    assert.equal(correctOffset(500, { askedMs: 1_000, answeredMs: 1_800, storeMs: 1_700 }), 500);
    assert.equal(correctOffset(-101, { askedMs: 1_000, answeredMs: 1_800, storeMs: 1_700 }), -100);
    assert.equal(correctOffset(701, { askedMs: 1_000, answeredMs: 1_800, storeMs: 1_700 }), 700);
  });
});
