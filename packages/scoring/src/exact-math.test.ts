import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { exactExp, exactLog1p, exactLogit, exactSigmoid } from "./exact-math.ts";

const closeTo = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance * Math.max(1e-300, Math.abs(expected)), `${actual} ${expected}`);

it("exactExp agrees with Math.exp", () => {
  fc.assert(fc.property(fc.double({ min: -40, max: 40, noNaN: true }), (x) => closeTo(exactExp(x), Math.exp(x), 1e-13)));
});

it("exactExp stays finite and positive beyond its range", () => {
  assert.equal(exactExp(1e9), exactExp(40));
  assert.ok(exactExp(-1e9) > 0);
});

it("exactLog1p agrees with Math.log1p over everything the API accepts", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
      const x = Math.expm1(share * Math.log1p(2_147_483_647));
      assert.ok(Math.abs(exactLog1p(x) - Math.log1p(x)) <= 1e-12);
    }),
  );
  assert.equal(exactLog1p(0), 0);
});

it("exactLog1p is monotonic", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (x, more) => {
      assert.ok(exactLog1p(x + more) >= exactLog1p(x) - 1e-14);
    }),
  );
});

it("sigmoid and logit are inverse", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), (probability) =>
      closeTo(exactSigmoid(exactLogit(probability)), probability, 1e-11),
    ),
  );
});
