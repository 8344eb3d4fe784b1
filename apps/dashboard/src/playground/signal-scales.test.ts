import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { amountScales, missingRequired, parseAmount, positionOf, presets, sliderSteps, valueAt } from "./signal-scales.ts";

describe("playground sliders", () => {
  for (const scale of amountScales) {
    it(`${scale.name}: rises from 0 to its maximum and never falls`, () => {
      assert.equal(valueAt(scale, 0), 0);
      assert.equal(valueAt(scale, sliderSteps), scale.sliderMax);
      fc.assert(
        fc.property(fc.nat(sliderSteps), fc.nat(sliderSteps), (one, other) => {
          const [left, right] = one < other ? [one, other] : [other, one];
          assert.ok(valueAt(scale, left) <= valueAt(scale, right));
        }),
      );
    });

    it(`${scale.name}: round-trips values through slider positions`, () => {
      fc.assert(
        fc.property(fc.nat(sliderSteps), (position) => {
          const value = valueAt(scale, position);
          assert.equal(valueAt(scale, positionOf(scale, value)), value);
        }),
      );
    });
  }

  it("accepts exactly the typed values that the API accepts", () => {
    const [engagement, duration, , interactions] = amountScales;
    assert.ok(engagement && duration && interactions);
    assert.equal(parseAmount(engagement, "0.5"), 0.5);
    assert.equal(parseAmount(engagement, "1.01"), undefined);
    assert.equal(parseAmount(engagement, ""), undefined);
    assert.equal(parseAmount(duration, "31536001"), undefined);
    assert.equal(parseAmount(duration, "1.5"), 1.5);
    assert.equal(parseAmount(interactions, "1.5"), undefined);
  });

  it("lists missing signals that the API requires", () => {
    assert.deepEqual(missingRequired({ scroll_depth: 1 }), ["Engagement", "Duration"]);
    for (const { signals } of presets) assert.deepEqual(missingRequired(signals), []);
  });
});
