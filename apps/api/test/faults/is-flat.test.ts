import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "node:test";
import { compareThirds, deviationsAbove } from "./rig/is-flat.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const samples = 180;
const seeds = 200;

/** A level with noise that may rise from the first sample to the last. */
function makeSeries(seed: number, { rise, noise }: { rise: number; noise: number }): number[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: samples }, (_, index) => 100 * (1 + (rise * index) / samples) * (1 + noise * (random.next() - 0.5)));
}

describe("the comparison of a run's first and last third", () => {
  it("accepts noise, and finds growth by half under the same noise", () => {
    const verdicts = (rise: number) => Array.from({ length: seeds }, (_, seed) => compareThirds(makeSeries(seed + 1, { rise, noise: 0.5 }), 0.1).isFlat);
    assert.equal(verdicts(0).filter((isFlat) => !isFlat).length, 0);
    assert.equal(verdicts(0.5).filter((isFlat) => isFlat).length, 0);
  });

  it("ignores outliers, insignificant growth and decreases", () => {
    const spiky = makeSeries(1, { rise: 0, noise: 0.1 }).map((value, index) => (index % 40 === 39 ? value * 50 : value));
    assert.equal(compareThirds(spiky, 0.1).isFlat, true);
    assert.equal(compareThirds(makeSeries(2, { rise: 0.05, noise: 0 }), 0.1).isFlat, true);
    assert.equal(compareThirds(makeSeries(3, { rise: -0.9, noise: 0.1 }), 0).isFlat, true);
    assert.equal(compareThirds(Array<number>(30).fill(7), 0).isFlat, true);
  });

  it("is antisymmetric", () => {
    const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 40 });
    fc.assert(fc.property(values, values, (one, other) => assert.ok(Math.abs(deviationsAbove(one, other) + deviationsAbove(other, one)) < 1e-9)));
  });
});
