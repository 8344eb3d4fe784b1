import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { apportion } from "./apportion.ts";

it("rounded amounts add up to the total, and each is within one of the original", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 12 }), (amounts) => {
      const total = Math.round(amounts.reduce((sum, amount) => sum + amount, 0)) + 0;
      const whole = apportion(amounts, total);
      assert.equal(whole.reduce((sum, each) => sum + each, 0), total);
      for (const [index, each] of whole.entries()) assert.ok(Math.abs(each - (amounts[index] as number)) <= 1);
    }),
  );
});

it("missing units go to the largest remainders", () => {
  assert.deepEqual(apportion([1.2, 2.7, 3.1], 7), [1, 3, 3]);
  assert.deepEqual(apportion([-0.5, 0.5], 0), [0, 0]);
});

it("a total that is not an integer and amounts that are not finite are rejected", () => {
  assert.throws(() => apportion([1.5], 1.5), /not an integer/);
  assert.throws(() => apportion([Number.NaN], 1), /not an integer/);
});

it("an empty list stays empty", () => {
  assert.deepEqual(apportion([], 0), []);
});
