import type { Artefact } from "../packages/scoring/src/artefact.ts";
import { exactSigmoid } from "../packages/scoring/src/exact-math.ts";
import { locate } from "./design.ts";
import type { Design } from "./design.ts";
import { fit } from "./fit.ts";
import { curvaturePenalties } from "./penalty.ts";

/** Out-of-fold log-odds with the sessions' labels. */
export type Predictions = { logOdds: number[]; labels: number[] };

const grid = { from: -10, step: 0.25, count: 81 } as const;
const knotCount = 9;
const curvatureStrength = 0.2;
/** Beyond the observed log-odds the probability keeps rising at least this steeply, so that scores do not tie. */
const outerSlopeMin = 0.25;
const totalWeight = 5_000;

/** A monotonic map per task from the model's log-odds to a probability at a prior of one half. */
export function calibrate(predictions: Record<"human" | "engaged", Predictions>): Artefact["calibration"] {
  return { ...grid, human: probabilitiesOf(predictions.human), engaged: probabilitiesOf(predictions.engaged) };
}

function probabilitiesOf({ logOdds, labels }: Predictions): number[] {
  const sorted = logOdds.toSorted((left, right) => left - right);
  const knots = spreadKnots(sorted);
  const { parameters } = fit({
    design: toDesign(logOdds, labels, knots),
    parameterCount: knots.length,
    chains: [{ indices: knots.map((_, index) => index), rises: knots.map((_, index) => index > 0) }],
    penalties: [
      ...curvaturePenalties(0, knots, curvatureStrength),
      ...knots.map((_, index) => ({ indices: [index], coefficients: [1], strength: 1e-3 })),
    ],
  });
  return Array.from({ length: grid.count }, (_, index) => {
    const logit = extendedAt(knots, parameters, grid.from + index * grid.step);
    return Math.round(exactSigmoid(logit) * 16_384) / 16_384;
  });
}

/** Knots at evenly spaced quantiles of the sessions, at least half a unit apart. */
function spreadKnots(sorted: readonly number[]): number[] {
  const knots: number[] = [];
  for (let index = 0; index < knotCount; index += 1) {
    const share = 0.005 + (0.99 * index) / (knotCount - 1);
    const knot = Math.round((sorted[Math.floor(share * (sorted.length - 1))] as number) * 64) / 64;
    if (knots.length === 0 || knot >= (knots.at(-1) as number) + 0.5) knots.push(knot);
  }
  return knots;
}

function toDesign(logOdds: readonly number[], labels: readonly number[], knots: readonly number[]): Design {
  const count = logOdds.length;
  const ones = labels.reduce((sum, label) => sum + label, 0);
  const indices = new Int32Array(2 * count);
  const values = new Float64Array(2 * count);
  for (let row = 0; row < count; row += 1) {
    const { cell, share } = locate(knots, logOdds[row] as number);
    indices.set([cell, cell + 1], 2 * row);
    values.set([1 - share, share], 2 * row);
  }
  return {
    starts: Int32Array.from({ length: count + 1 }, (_, row) => 2 * row),
    indices,
    values,
    labels: Float64Array.from(labels),
    weights: Float64Array.from(labels, (label) => totalWeight / 2 / (label === 1 ? ones : count - ones)),
  };
}

function extendedAt(knots: readonly number[], values: Float64Array, x: number): number {
  const last = knots.length - 1;
  const slopeOf = (cell: number) =>
    ((values[cell + 1] as number) - (values[cell] as number)) / ((knots[cell + 1] as number) - (knots[cell] as number));
  const first = knots[0] as number;
  const end = knots[last] as number;
  if (x < first) return (values[0] as number) + (x - first) * Math.max(outerSlopeMin, slopeOf(0));
  if (x > end) return (values[last] as number) + (x - end) * Math.max(outerSlopeMin, slopeOf(last - 1));
  const { cell, share } = locate(knots, x);
  return (values[cell] as number) + share * ((values[cell + 1] as number) - (values[cell] as number));
}
