import { exactLogit, exactSigmoid } from "../packages/scoring/src/exact-math.ts";
import { expectedCalibrationErrorOf } from "../packages/scoring/src/measure.ts";
import { fit } from "./fit.ts";
import { hashText } from "./random.ts";

/** Parameters that map scores to a site's own probabilities: sigmoid(shift + slope · logit(score)). */
export type Recalibration = { shift: number; slope: number };

const logitOf = (probability: number) => exactLogit(Math.min(0.999, Math.max(0.001, probability)));

/** Simulates a site with its own outcomes: fits on one half and measures on the other. */
export function recalibratedError(
  rowIds: readonly string[],
  probabilities: readonly number[],
  labels: readonly number[],
): { recalibration: Recalibration; error: number } {
  const parity = rowIds.map((rowId) => hashText(`recalibrate ${rowId}`) % 2);
  const pick = (values: readonly number[], half: number) => values.filter((_, index) => parity[index] === half);
  const recalibration = fitRecalibration(pick(probabilities, 0), pick(labels, 0));
  const corrected = pick(probabilities, 1).map((probability) =>
    exactSigmoid(recalibration.shift + recalibration.slope * logitOf(probability)),
  );
  return { recalibration, error: expectedCalibrationErrorOf(corrected, pick(labels, 1), { prior: 0.5 }) };
}

function fitRecalibration(probabilities: readonly number[], labels: readonly number[]): Recalibration {
  const count = labels.length;
  const ones = labels.reduce((sum, label) => sum + label, 0);
  const { parameters } = fit({
    design: {
      starts: Int32Array.from({ length: count + 1 }, (_, row) => 2 * row),
      indices: Int32Array.from({ length: 2 * count }, (_, at) => at % 2),
      values: Float64Array.from({ length: 2 * count }, (_, at) =>
        at % 2 === 0 ? 1 : logitOf(probabilities[(at - 1) / 2] as number),
      ),
      labels: Float64Array.from(labels),
      weights: Float64Array.from(labels, (label) => 1000 / (label === 1 ? ones : count - ones)),
    },
    parameterCount: 2,
    chains: [],
    penalties: [],
  });
  return { shift: parameters[0] as number, slope: parameters[1] as number };
}
