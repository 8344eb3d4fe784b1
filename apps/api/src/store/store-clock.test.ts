import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { offsetOf, openStoreClock } from "./store-clock.ts";
import { msPerHour } from "../formats/time.ts";

/** Test and server share a machine: what they read differs by how long a question takes. */
const apartMsMax = 5_000;

describeBothStores("the clock that nodes go by", (open, dialect) => {
  const isShared = dialect === "postgres";
  it(isShared ? "is the database's: a machine's clock that jumps moves nothing" : "is the machine's", async () => {
    const { store } = await open();
    let jumpMs = -msPerHour;
    const settings = { machineNowMs: () => Date.now() + jumpMs, monotonicMs: () => performance.now(), onError: () => {} };
    const clock = await openStoreClock(store, settings);
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

describe("a reading of the database's clock", () => {
  it("is off by half of the round trip at most, wherever in it the clock was looked at", () => {
    const times = fc.record({ askedMs: fc.integer({ min: 0, max: 1e9 }), tripMs: fc.integer({ min: 0, max: 10_000 }), lookedAfter: fc.double({ min: 0, max: 1, noNaN: true }), offMs: fc.integer({ min: -1e12, max: 1e12 }) });
    fc.assert(
      fc.property(times, ({ askedMs, tripMs, lookedAfter, offMs }) => {
        const storeMs = askedMs + tripMs * lookedAfter + offMs;
        const error = offsetOf({ askedMs, answeredMs: askedMs + tripMs, storeMs }) - offMs;
        assert.ok(Math.abs(error) <= tripMs / 2 + 0.001);
      }),
    );
  });
});
