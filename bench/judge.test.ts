import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findSlower, isReached, ratioOf } from "./judge.ts";

const figures = (perSecond: number, us: number) => ({ perSecond, mainUs: us, allUs: us });
const before = [figures(1_000, 100), figures(500, 200), figures(1_000, 100)];
/** The same rounds, faster or slower by a factor. */
const times = (perSecond: number, us: number) => before.map((each) => figures(each.perSecond * perSecond, each.mainUs * us));

describe("a comparison with another commit", () => {
  it("divides each round's figure by the old tree's of the same round", () => {
    const ratio = ratioOf("perSecond", [figures(900, 1), figures(600, 1), figures(1_100, 1)], before);
    assert.deepEqual(ratio, { middle: 1.1, lowest: 0.9, highest: 1.2 });
  });

  it("tolerates 3 %, and no more when the same code agrees with itself", () => {
    assert.deepEqual(findSlower({ before, after: times(0.98, 1.02), again: times(1, 1) }), []);
    assert.deepEqual(findSlower({ before, after: times(0.96, 1), again: times(1, 1) }), ["calls/s"]);
    assert.deepEqual(findSlower({ before, after: times(1, 1.04), again: times(1, 1) }), ["main thread µs", "all threads µs"]);
  });

  it("tolerates what the same code differed from itself in any round", () => {
    const again = [figures(800, 130), figures(500, 200), figures(1_000, 100)];
    assert.deepEqual(findSlower({ before, after: times(0.85, 1.25), again }), []);
    assert.deepEqual(findSlower({ before, after: times(0.75, 1.35), again }), ["calls/s", "main thread µs", "all threads µs"]);
  });

  it("never calls a faster tree slower", () => {
    assert.deepEqual(findSlower({ before, after: times(2, 0.5), again: times(1, 1) }), []);
  });

  it("calls a tree slower whose figures are not numbers", () => {
    assert.deepEqual(findSlower({ before, after: times(Number.NaN, 1), again: times(1, 1) }), ["calls/s"]);
  });
});

describe("a target", () => {
  const ratio = { middle: 1, lowest: 0.5, highest: 2 };

  it("is for the median, whatever the lowest and the highest round", () => {
    assert.deepEqual([isReached(ratio, { atLeast: 1 }), isReached(ratio, { atLeast: 1.01 })], [true, false]);
    assert.deepEqual([isReached(ratio, { atMost: 1 }), isReached(ratio, { atMost: 0.99 })], [true, false]);
  });

  it("is missed by what is not a number", () => {
    const nothing = { middle: Number.NaN, lowest: Number.NaN, highest: Number.NaN };
    assert.deepEqual([isReached(nothing, { atLeast: 0 }), isReached(nothing, { atMost: 9 })], [false, false]);
  });
});
