import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { activeShare, normalCumulative } from "./active-share.ts";

const closeTo = (actual: number, expected: number, most: number) =>
  assert.ok(Math.abs(actual - expected) <= most, `${actual} is not ${expected}`);

it("equal gaps of up to 30 s are active throughout, longer ones for 30 s of each", () => {
  assert.equal(activeShare(7, 0), 1);
  assert.equal(activeShare(30, 0), 1);
  assert.equal(activeShare(40, 0), 0.75);
  assert.equal(activeShare(300, 0), 0.1);
});

it("agrees with the mean of capped gaps drawn from the log-normal distribution", () => {
  for (const [mean, deviation] of [[26.3, 87.3], [297, 260], [8.67, 17.6], [0.407, 1.1]] as const) {
    const variance = Math.log1p((deviation / mean) ** 2);
    const center = Math.log(mean) - variance / 2;
    // Midpoints of equally probable slices, mapped through the inverse of the distribution by bisection.
    const slices = 4_000;
    let sum = 0;
    for (let slice = 0; slice < slices; slice += 1) {
      sum += Math.min(30, Math.exp(center + Math.sqrt(variance) * quantileOf((slice + 0.5) / slices)));
    }
    closeTo(activeShare(mean, deviation), sum / slices / mean, 2e-3);
  }
});

it("stays between 0 and 1 and falls when all gaps grow", () => {
  const gap = fc.double({ min: 0.001, max: 1_800, noNaN: true });
  const variation = fc.double({ min: 0, max: 40, noNaN: true });
  fc.assert(
    fc.property(gap, variation, fc.double({ min: 1, max: 10, noNaN: true }), (mean, times, factor) => {
      const share = activeShare(mean, mean * times);
      assert.ok(share >= 0 && share <= 1, `${share}`);
      assert.ok(activeShare(mean * factor, mean * factor * times) <= share + 1e-9);
    }),
  );
});

it("the normal distribution has its known values", () => {
  assert.equal(normalCumulative(0), 0.5);
  closeTo(normalCumulative(1), 0.8413447460685429, 1e-14);
  closeTo(normalCumulative(-1.959963984540054), 0.025, 1e-14);
  closeTo(normalCumulative(-6), 9.865876450377e-10, 1e-15);
  assert.equal(normalCumulative(9), 1);
  assert.equal(normalCumulative(-9), 0);
});

function quantileOf(probability: number): number {
  let [low, high] = [-9, 9];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (normalCumulative(middle) < probability) low = middle;
    else high = middle;
  }
  return low;
}
