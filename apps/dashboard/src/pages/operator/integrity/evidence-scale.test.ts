import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { axesOf, checksOf, heightOf, place, pointsOf } from "./evidence-scale.ts";

const check = (name: string, evidence: number) => ({ check: name, evidence, factor: 1, tested: 10, hits: 0 });
const evidence = [
  { day: "2026-03-01", total: 1, checks: [check("duplicates", 1)] },
  { day: "2026-03-03", total: 30, checks: [check("duplicates", 1), check("shared", 59)] },
];

describe("evidence over time", () => {
  it("is a line of the total, or of one check on the days on which it was computed", () => {
    assert.deepEqual(checksOf(evidence), ["duplicates", "shared"]);
    assert.deepEqual(pointsOf(evidence).map(({ value }) => value), [1, 30]);
    assert.deepEqual(pointsOf(evidence, "shared"), [{ day: "2026-03-03", value: 59 }]);
  });

  it("has the threshold inside the picture, whatever the evidence", () => {
    for (const most of [0.2, 30, 1e12]) {
      const axes = axesOf([[{ day: "2026-03-01", value: most }]], 1_000);
      const y = heightOf(1_000, axes);
      assert.ok(y > 0.05 && y < 0.95, `${y}`);
      assert.ok(axes.labels.length <= 7);
      assert.ok(axes.labels.every((label) => label >= axes.values.from && label <= axes.values.to));
    }
  });

  it("lies on its calendar day, and on the edge where it is too small for the picture", () => {
    const axes = axesOf([pointsOf(evidence)], 1_000);
    assert.deepEqual([place({ day: "2026-03-01", value: 1e-9 }, axes), place({ day: "2026-03-02", value: 10_000 }, axes)], [{ x: 0, y: 1 }, { x: 0.5, y: 0 }]);
    assert.equal(place({ day: "2026-03-01", value: 1 }, axesOf([[{ day: "2026-03-01", value: 1 }]], 1_000)).x, 0.5);
  });
});
