import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { msPerHour } from "../formats/time.ts";
import { offsetOf, openStoreClock } from "./store-clock.ts";

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

describe("a reading of the database's clock", () => {
  it("is off by at most half the round trip, whenever the clock was read", () => {
    const times = fc.record({ askedMs: fc.integer({ min: 0, max: 1e9 }), tripMs: fc.integer({ min: 0, max: 10_000 }), readAfter: fc.double({ min: 0, max: 1, noNaN: true }), offMs: fc.integer({ min: -1e12, max: 1e12 }) });
    fc.assert(
      fc.property(times, ({ askedMs, tripMs, readAfter, offMs }) => {
        const storeMs = askedMs + tripMs * readAfter + offMs;
        const error = offsetOf({ askedMs, answeredMs: askedMs + tripMs, storeMs }) - offMs;
        assert.ok(Math.abs(error) <= tripMs / 2 + 0.001);
      }),
    );
  });
});
