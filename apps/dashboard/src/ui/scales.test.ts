import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gaugePosition, gaugeThresholdAt, logPosition, powersOfTen } from "./scales.ts";

const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

describe("scales", () => {
  it("put equal factors at equal distances, and what is outside at the nearer end", () => {
    const axis = { from: 0.1, to: 10_000 };
    near(logPosition(0.1, axis), 0);
    near(logPosition(1, axis), 0.2);
    near(logPosition(1_000, axis), 0.8);
    assert.equal(logPosition(0, axis), 0);
    assert.equal(logPosition(1e9, axis), 1);
  });

  it("reach from the power of ten below to the one above", () => {
    assert.deepEqual(powersOfTen({ least: 0.3, most: 1_000 }), [0.1, 1, 10, 100, 1_000]);
    assert.deepEqual(powersOfTen({ least: 1, most: 2_500 }), [1, 10, 100, 1_000, 10_000]);
  });

  it("show on every gauge the threshold at the same place, by powers for evidence and in proportion for the rest", () => {
    for (const threshold of [0.4, 12, 1_000]) near(gaugePosition(threshold, threshold), gaugeThresholdAt);
    near(gaugePosition(100, 1_000), (2 / 3) * gaugeThresholdAt);
    near(gaugePosition(6, 12), gaugeThresholdAt / 2);
    assert.equal(gaugePosition(1e30, 1_000), 1);
    assert.equal(gaugePosition(0.2, 1_000), 0);
  });
});
