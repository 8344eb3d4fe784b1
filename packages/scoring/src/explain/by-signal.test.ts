import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { signalNames } from "../signals.ts";
import { anySession, explainedModels } from "../testing/any-session.ts";
import { bySignalOf } from "./by-signal.ts";

const sum = (points: readonly number[]) => points.reduce((total, each) => total + each, 0);

for (const { name, model } of explainedModels) {
  describe(name, () => {
    it("base value and points by signal add up to the unrounded score exactly, in any order, after JSON", () => {
      fc.assert(
        fc.property(anySession, fc.infiniteStream(fc.nat()), (signals, order) => {
          const { baseValue, bySignal, unroundedScore } = JSON.parse(JSON.stringify(model.explain(signals))) as ReturnType<typeof model.explain>;
          const points = [baseValue, ...bySignal.map((line) => line.points)];
          assert.equal(sum(points), unroundedScore);
          assert.equal(sum(points.toReversed()), unroundedScore);
          const keys = new Map(points.map((_, index) => [index, order.next().value]));
          const shuffled = [...points.keys()].toSorted((left, right) => (keys.get(left) ?? 0) - (keys.get(right) ?? 0));
          assert.equal(sum(shuffled.map((index) => points[index] ?? 0)), unroundedScore);
        }),
        { numRuns: 2_000 },
      );
    });

    it("points by signal are a signal's own and half of each of its pairs", () => {
      fc.assert(
        fc.property(anySession, (signals) => {
          const { bySignal, contributions } = model.explain(signals);
          assert.deepEqual(bySignal.map(({ signal }) => signal), [...signalNames, "plausibility"]);
          for (const { signal, points } of bySignal) {
            const own = contributions.filter((each) => each.signal === signal).map((each) => each.points);
            const halves = contributions.filter((each) => each.signal.includes("×") && each.signal.split("×").includes(signal)).map((each) => each.points / 2);
            assert.equal(points, sum([...own, ...halves]));
            if (own.length === 0) assert.equal(points, 0, "a signal that was not seen has no points");
          }
        }),
        { numRuns: 500 },
      );
    });
  });
}

it("a contribution that is neither a signal nor a pair gets a line of its own", () => {
  const lines = bySignalOf([
    { signal: "page_views", value: 3, points: 1 },
    { signal: "test_scenario", value: null, points: -4 },
  ]);
  assert.deepEqual(lines.filter(({ points }) => points !== 0), [
    { signal: "page_views", points: 1 },
    { signal: "test_scenario", points: -4 },
  ]);
});
