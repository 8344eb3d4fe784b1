import type { Artefact, Probabilities } from "../packages/scoring/src/artefact.ts";
import { exactLogit, exactSigmoid } from "../packages/scoring/src/exact-math.ts";
import { locate } from "./design.ts";
import type { Design } from "./design.ts";
import { fit } from "./fit.ts";
import { curvaturePenalties } from "./penalty.ts";
import type { Session } from "./read-sessions.ts";

/** A session with its log-odds by a model that was not fitted on it. */
export type Prediction = {
  session: Session;
  logOdds: number;
  /** As if neither engagement nor interactions had been seen. */
  bareLogOdds: number;
  /** Whether the gate is open without the interactions. */
  isPlausible: boolean;
};

const grid = { from: -10, step: 0.25, count: 81 } as const;
const knotCount = 9;
const curvatureStrength = 0.2;
/** Beyond the observed log-odds the probability keeps rising at least this steeply, so that scores do not tie. */
const outerSlopeMin = 0.25;
const totalWeight = 5_000;

/**
 * A convention that sets the scale: on the fitting sessions 39 of 40 robots score below 40, and seven of ten of the
 * shop's buyers from 70 on.
 */
const offset = -0.33;

/** Monotonic maps from the model's log-odds to probabilities at a prior of one half. */
export function calibrate(predictions: readonly Prediction[]): Artefact["calibration"] {
  const labelled = predictions.filter(({ session }) => session.task === "human");
  const outcomes = predictions.filter(({ session }) => session.task === "engaged");
  const whole = ({ logOdds }: Prediction) => logOdds;
  return {
    ...grid,
    human: probabilitiesOf(labelled, whole),
    engaged: probabilitiesOf(outcomes, whole),
    bare: calibrateBare(labelled, outcomes),
    offset,
  };
}

/**
 * For sessions with neither engagement nor interactions. No source with outcomes is like that, so such a site is one that
 * nobody has seen, and what its sessions without a good outcome look like is not known. Two such populations are: the
 * shop's visitors who did not buy, and robots. A site's own is taken as a draw around both: the log-odds of a good outcome
 * are the mean of those against the one and against the other. Robots that the gate stops count in neither.
 */
function calibrateBare(labelled: readonly Prediction[], outcomes: readonly Prediction[]): Probabilities {
  const bare = ({ bareLogOdds }: Prediction) => bareLogOdds;
  const good = outcomes.filter(({ session }) => session.label === 1);
  const robots = labelled.filter(({ session, isPlausible }) => session.label === 0 && isPlausible);
  const amongVisitors = probabilitiesOf(outcomes, bare);
  const amongRobots = probabilitiesOf([...good, ...robots], bare);
  return {
    human: probabilitiesOf(labelled, bare),
    engaged: amongVisitors.map((probability, index) => {
      const mean = (exactLogit(probability) + exactLogit(amongRobots[index] as number)) / 2;
      return toProbability(mean);
    }),
  };
}

const unitsPerOne = 16_384;
/** Probabilities are multiples of 1/16384, strictly between 0 and 1. */
const toProbability = (logit: number) =>
  Math.min(unitsPerOne - 1, Math.max(1, Math.round(exactSigmoid(logit) * unitsPerOne))) / unitsPerOne;

function probabilitiesOf(predictions: readonly Prediction[], logOddsOf: (prediction: Prediction) => number): number[] {
  const logOdds = predictions.map(logOddsOf);
  const labels = predictions.map(({ session }) => session.label);
  const knots = spreadKnots(logOdds.toSorted((left, right) => left - right));
  const { parameters } = fit({
    design: toDesign(logOdds, labels, knots),
    parameterCount: knots.length,
    chains: [{ indices: knots.map((_, index) => index), rises: knots.map((_, index) => index > 0) }],
    penalties: [
      ...curvaturePenalties(0, knots, curvatureStrength),
      ...knots.map((_, index) => ({ indices: [index], coefficients: [1], strength: 1e-3 })),
    ],
  });
  return Array.from({ length: grid.count }, (_, index) =>
    toProbability(extendedAt(knots, parameters, grid.from + index * grid.step)),
  );
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
