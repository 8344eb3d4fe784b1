import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { fitIsotonic } from "./isotonic.ts";

const point = fc.record({
  x: fc.double({ min: 0, max: 1, noNaN: true }),
  y: fc.constantFrom(0, 1),
  weight: fc.constantFrom(1, 2),
});

it("the map is monotonic, whatever the points", () => {
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 200 }), (points) => {
      const { raw, shown } = fitIsotonic(points);
      assert.ok(raw.length > 0 && raw.length === shown.length && raw.length <= 30);
      assert.ok(shown.every((value, index) => index === 0 || value >= (shown[index - 1] as number)));
      assert.ok(raw.every((value, index) => index === 0 || value >= (raw[index - 1] as number)));
    }),
  );
});

it("points in order are unchanged, points out of order are pooled by weight", () => {
  const ordered = [
    { x: 0.1, y: 0, weight: 1 },
    { x: 0.9, y: 1, weight: 1 },
  ];
  assert.deepEqual(fitIsotonic(ordered), { raw: [0.1, 0.9], shown: [0, 1] });
  const reversed = [
    { x: 0.2, y: 1, weight: 3 },
    { x: 0.6, y: 0, weight: 1 },
  ];
  assert.deepEqual(fitIsotonic(reversed), { raw: [0.3], shown: [0.75] });
});
