import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { aucOf, expectedCalibrationErrorOf, reliabilityOf } from "./measure.ts";

it("AUC is 1 for a perfect order, 0 for the reverse and one half for ties", () => {
  assert.equal(aucOf([1, 2, 3, 4], [0, 0, 1, 1]), 1);
  assert.equal(aucOf([4, 3, 2, 1], [0, 0, 1, 1]), 0);
  assert.equal(aucOf([5, 5, 5, 5], [0, 1, 0, 1]), 0.5);
});

it("AUC is the share of pairs in the right order", () => {
  const labelled = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 1 })), { minLength: 2 });
  fc.assert(
    fc.property(labelled, (sessions) => {
      let [pairs, wins] = [0, 0];
      for (const [one, isOne] of sessions) {
        for (const [zero, isAlsoOne] of sessions) {
          if (isOne !== 1 || isAlsoOne !== 0) continue;
          pairs += 1;
          wins += one > zero ? 1 : one === zero ? 0.5 : 0;
        }
      }
      const auc = aucOf(sessions.map(([score]) => score), sessions.map(([, label]) => label));
      if (pairs === 0) assert.ok(Number.isNaN(auc));
      else assert.ok(Math.abs(auc - wins / pairs) < 1e-12);
    }),
  );
});

it("calibrated probabilities have no calibration error, overconfident ones do", () => {
  const labels = [0, 0, 0, 1, 0, 1, 1, 1];
  const fair = [0.25, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75, 0.75];
  assert.ok(expectedCalibrationErrorOf(fair, labels) < 1e-12);
  assert.ok(Math.abs(expectedCalibrationErrorOf(labels.map(() => 1), labels) - 0.5) < 1e-12);
});

it("a prior reweights the labels", () => {
  const labels = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  const [bin] = reliabilityOf(labels.map(() => 0.5), labels, { prior: 0.5 });
  assert.ok(bin !== undefined && Math.abs(bin.seen - 0.5) < 1e-12);
});

it("bins contain all the weight and never split equal probabilities", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.boolean()), { minLength: 1 }), (sessions) => {
      const bins = reliabilityOf(sessions.map(([fifth]) => fifth / 5), sessions.map(([, label]) => Number(label)));
      assert.ok(Math.abs(bins.reduce((sum, bin) => sum + bin.weight, 0) - 1) < 1e-9);
      assert.ok(bins.length <= 6);
    }),
  );
});

it("many equal probabilities do not leave the next session in a bin of its own", () => {
  const probabilities = [...Array<number>(50).fill(0.2), ...Array.from({ length: 50 }, (_, index) => 0.5 + index / 200)];
  const bins = reliabilityOf(probabilities, probabilities.map(() => 0));
  assert.ok(bins.every(({ weight }) => weight > 0.05));
});
