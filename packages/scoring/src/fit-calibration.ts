import { exactExp, exactLog1p, exactLogit, exactSigmoid } from "./exact-math.ts";
import { expectedCalibrationErrorOf, type ReliabilityBin, reliabilityOf } from "./measure.ts";
import type { Calibration, Model } from "./model.ts";
import type { Signals } from "./signals.ts";
import { type TrustLevel, trustLevelOf } from "./trust-level.ts";

/*
 * An account's own calibration: two numbers, fitted to its outcomes. Training measures with the same functions how
 * well this works on a site that the model has never seen.
 */

/** A session whose outcome is known. */
export type JudgedSignals = { signals: Signals; isGood: boolean };

/** What the shipped model says about it. */
export type JudgedScore = {
  /** 0 to 100, before the gate: the scale that a calibration maps. */
  openScore: number;
  /** 0 to 1: by how much the gate multiplies the score. */
  openness: number;
  isGood: boolean;
};

export type CalibrationFit =
  | { kind: "fitted"; calibration: Calibration; good: number; bad: number }
  /** `contradicted`: good sessions do not score higher than bad ones, so no rising map fits. */
  | { kind: "refused"; reason: "too_few" | "contradicted"; good: number; bad: number };

export type FitOptions = {
  /** Fewer good outcomes than this, or fewer bad ones, are refused. */
  outcomesMin: number;
  /** Standard deviations of the normal priors around the shipped calibration. */
  shiftDeviation: number;
  lnSlopeDeviation: number;
};

/** The deviations were chosen by measurement: docs/decisions/0030 has the table. */
export const fitDefaults: FitOptions = { outcomesMin: 200, shiftDeviation: 1, lnSlopeDeviation: 1 };

export const shippedCalibration: Calibration = { shift: 0, slope: 1 };

/** A session that the gate closes further than this says nothing about the scale before the gate. */
const opennessMin = 0.9;
/** A flatter map would put every session into one level; a steeper one would leave none between 0 and 100. */
export const slopeBounds = { min: 0.1, max: 10 } as const;
const shiftMax = 10;
/** Scores of 0 and 100 have infinite log-odds. */
const scoreMargin = 0.05;
/** Fitted at a tenth of a point: more changes nothing, and a thousand points are fitted quickly. */
const pointsPerScore = 10;
const stepsMax = 100;
/** Well below the decimals that are kept. */
const stepSmall = 1e-7;
/** Of a step that would make the fit worse. */
const halvingsMax = 10;
/** Stored and applied with this many decimals. */
const decimals = 4;

const logOddsOf = (score: number) => exactLogit(Math.min(100 - scoreMargin, Math.max(scoreMargin, score)) / 100);
const rounded = (value: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;
const clamped = (value: number, [min, max]: readonly [number, number]) => Math.min(max, Math.max(min, value));

/** The score before the gate on the account's scale, as `Model.calibrated` maps it. */
export const recalibrateScore = (openScore: number, { shift, slope }: Calibration): number => 100 * exactSigmoid(shift + slope * logOddsOf(openScore));

/** As in an answer: with the gate, rounded to one decimal. */
export const scoreJudged = ({ openScore, openness }: JudgedScore, calibration: Calibration | undefined): number =>
  Math.round(openness * (calibration ? recalibrateScore(openScore, calibration) : openScore) * 10) / 10;

/** Scores a session with the shipped model, whatever calibration was in use when it was recorded. */
export function judgeSignals(model: Model, { signals, isGood }: JudgedSignals): JudgedScore {
  const { unroundedScore, contributions } = model.explain(signals);
  const gate = contributions.find(({ signal }) => signal === "plausibility");
  return { openScore: unroundedScore - (gate?.points ?? 0), openness: Number(gate?.value ?? 1), isGood };
}

type Point = { x: number; isGood: boolean; weight: number };

/** Weights are such that both kinds count one half, and add up to as many equally weighted sessions as tell the same. */
function toPoints(open: readonly JudgedScore[], { good, bad }: { good: number; bad: number }): Point[] {
  const total = (4 * good * bad) / (good + bad);
  const weightOf = (isGood: boolean) => total / 2 / (isGood ? good : bad);
  const points = new Map<number, Point>();
  for (const { openScore, isGood } of open) {
    const step = Math.round(openScore * pointsPerScore);
    const key = 2 * step + Number(isGood);
    const point = points.get(key);
    if (point) point.weight += weightOf(isGood);
    else points.set(key, { x: logOddsOf(step / pointsPerScore), isGood, weight: weightOf(isGood) });
  }
  // In a fixed order, so that the same outcomes give the same sums however they were read.
  return [...points].toSorted(([left], [right]) => left - right).map(([, point]) => point);
}

type At = { shift: number; lnSlope: number };

/** Negative log-likelihood and prior, with the gradient and Fisher's information by shift and ln slope. */
function measureFit(points: readonly Point[], { shift, lnSlope }: At, { shiftDeviation, lnSlopeDeviation }: FitOptions) {
  const [shiftPrecision, lnSlopePrecision] = [shiftDeviation ** -2, lnSlopeDeviation ** -2];
  const slope = exactExp(lnSlope);
  const fit = {
    loss: 0.5 * (shiftPrecision * shift ** 2 + lnSlopePrecision * lnSlope ** 2),
    byShift: shiftPrecision * shift,
    byLnSlope: lnSlopePrecision * lnSlope,
    one: shiftPrecision,
    x: 0,
    xx: lnSlopePrecision,
  };
  for (const { x, isGood, weight } of points) {
    const steep = slope * x;
    const logit = shift + steep;
    const said = exactSigmoid(logit);
    const excess = weight * (said - Number(isGood));
    const information = weight * said * (1 - said);
    fit.loss += weight * exactLog1p(exactExp(isGood ? -logit : logit));
    fit.byShift += excess;
    fit.byLnSlope += excess * steep;
    fit.one += information;
    fit.x += information * steep;
    fit.xx += information * steep * steep;
  }
  return fit;
}

/** Fisher scoring with step halving, from the shipped calibration. */
function minimise(points: readonly Point[], options: FitOptions): At {
  let at: At = { shift: 0, lnSlope: 0 };
  let fit = measureFit(points, at, options);
  for (let step = 0; step < stepsMax; step += 1) {
    const determinant = fit.one * fit.xx - fit.x ** 2;
    const shiftStep = (fit.xx * fit.byShift - fit.x * fit.byLnSlope) / determinant;
    const lnSlopeStep = (fit.one * fit.byLnSlope - fit.x * fit.byShift) / determinant;
    if (Math.abs(shiftStep) + Math.abs(lnSlopeStep) < stepSmall) return at;
    let next = at;
    let nextFit = fit;
    for (let halvings = 0, part = 1; halvings < halvingsMax; halvings += 1, part /= 2) {
      next = { shift: at.shift - part * shiftStep, lnSlope: at.lnSlope - part * lnSlopeStep };
      nextFit = measureFit(points, next, options);
      if (nextFit.loss < fit.loss) break;
    }
    // The difference is below what the sum's last digits show.
    if (nextFit.loss >= fit.loss) return at;
    [at, fit] = [next, nextFit];
  }
  return at;
}

/** Of points, whose order is fixed: a sum in the order of reading could tell equal means apart. */
const meanLogOdds = (points: readonly Point[], isGood: boolean) => {
  const kind = points.filter((point) => point.isGood === isGood);
  return kind.reduce((sum, { x, weight }) => sum + weight * x, 0) / kind.reduce((sum, { weight }) => sum + weight, 0);
};

/**
 * The two numbers under which the outcomes are most likely, given a prior belief in the shipped calibration. Both kinds
 * of outcomes count one half whatever their number: a score means a probability at a prior of one half.
 */
export function fitCalibration(sessions: readonly JudgedScore[], options: FitOptions = fitDefaults): CalibrationFit {
  const open = sessions.filter(({ openness }) => openness >= opennessMin);
  const good = open.filter(({ isGood }) => isGood).length;
  const counts = { good, bad: open.length - good };
  if (Math.min(counts.good, counts.bad) < Math.max(1, options.outcomesMin)) return { kind: "refused", reason: "too_few", ...counts };
  // With both kinds weighted alike, the best slope is above 0 exactly if good sessions have the higher mean log-odds.
  const contradicted: CalibrationFit = { kind: "refused", reason: "contradicted", ...counts };
  const points = toPoints(open, counts);
  if (meanLogOdds(points, true) <= meanLogOdds(points, false)) return contradicted;
  const { shift, lnSlope } = minimise(points, options);
  const slope = exactExp(lnSlope);
  if (slope < slopeBounds.min) return contradicted;
  const calibration = { shift: rounded(clamped(shift, [-shiftMax, shiftMax])), slope: rounded(clamped(slope, [slopeBounds.min, slopeBounds.max])) };
  return { kind: "fitted", calibration, ...counts };
}

export type Levels = Record<TrustLevel, number>;

/** How well scores fit outcomes, both kinds counting one half. */
export type Reliability = {
  /** Expected calibration error over at most ten bins. */
  error: number;
  /** What `error` would be on average for perfect scores: so few sessions differ by chance alone. */
  chanceError: number;
  bins: ReliabilityBin[];
  levels: Levels;
};

const foldCount = 5;

function describeScores(scores: readonly number[], labels: readonly number[]): Reliability {
  const probabilities = scores.map((score) => score / 100);
  const bins = reliabilityOf(probabilities, labels, { prior: 0.5 });
  const levels: Levels = { high: 0, medium: 0, low: 0 };
  for (const score of scores) levels[trustLevelOf(score)] += 1;
  return { error: expectedCalibrationErrorOf(probabilities, labels, { prior: 0.5 }), chanceError: chanceErrorOf(bins, labels), bins, levels };
}

/** The mean absolute deviation of a normal distribution, in standard deviations. */
const meanDeviation = 0.7978845608028654;

/** Delta method: a bin's share is g / (g + b) with g and b the weights of its good and bad sessions, each a binomial. */
function chanceErrorOf(bins: readonly ReliabilityBin[], labels: readonly number[]): number {
  const good = labels.filter((label) => label === 1).length;
  const [goodWeight, badWeight] = [0.5 / good, 0.5 / (labels.length - good)];
  return bins.reduce((sum, { said, weight }) => {
    const deviation = Math.sqrt(said * (1 - said) * ((1 - said) * goodWeight + said * badWeight) / weight);
    return sum + weight * meanDeviation * deviation;
  }, 0);
}

export type BeforeAndAfter = { before: Reliability; after: Reliability; changedLevels: number };

/**
 * Each session's score under the shipped calibration, and under one that was fitted to the other four fifths of the
 * outcomes. Undefined if a part of them gives no fit. Yields between its steps, for callers that have other work to do.
 */
export function* compareInSteps(sessions: readonly JudgedScore[], options: FitOptions = fitDefaults): Generator<void, BeforeAndAfter | undefined> {
  const foldOptions = { ...options, outcomesMin: 1 };
  const folds = foldsOf(sessions);
  const calibrations: Calibration[] = [];
  for (let fold = 0; fold < foldCount; fold += 1) {
    const fit = fitCalibration(sessions.filter((_, index) => folds[index] !== fold), foldOptions);
    if (fit.kind === "refused") return undefined;
    calibrations.push(fit.calibration);
    yield;
  }
  const labels = sessions.map(({ isGood }) => Number(isGood));
  const before = sessions.map((session) => scoreJudged(session, undefined));
  const after = sessions.map((session, index) => scoreJudged(session, calibrations[folds[index]!]));
  const changedLevels = before.filter((score, index) => trustLevelOf(score) !== trustLevelOf(after[index]!)).length;
  const described = describeScores(before, labels);
  yield;
  return { before: described, after: describeScores(after, labels), changedLevels };
}

/** The same at once. */
export function compareCalibrations(sessions: readonly JudgedScore[], options: FitOptions = fitDefaults): BeforeAndAfter | undefined {
  const steps = compareInSteps(sessions, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Dealt out in turn, each kind by itself. */
function foldsOf(sessions: readonly JudgedScore[]): number[] {
  const dealt = { good: 0, bad: 0 };
  return sessions.map(({ isGood }) => {
    const kind = isGood ? "good" : "bad";
    dealt[kind] += 1;
    return dealt[kind] % foldCount;
  });
}

export type RecalibrationMeasure = {
  /** Calibration error of the shipped scores, on all sessions. */
  shipped: number;
  /** The same after a fit to the outcomes of a draw, on the sessions outside of it: over all draws. */
  mean: number;
  median: number;
  /** Nine draws in ten are better. */
  ninetieth: number;
  /** Draws that were refused. */
  refused: number;
};

export type MeasureOptions = {
  /** How many good and bad outcomes the account has reported. */
  outcomes: { good: number; bad: number };
  draws: number;
  /** 0 to 1, from a seeded generator. */
  random: () => number;
  fit?: FitOptions;
};

/** Plays an account with so many outcomes many times over, and measures on the sessions that it did not report on. */
export function measureRecalibration(
  model: Model,
  labelled: readonly JudgedSignals[],
  { outcomes, draws, random, fit: options = fitDefaults }: MeasureOptions,
): RecalibrationMeasure {
  const sessions = labelled.map((session) => judgeSignals(model, session));
  const goodIndices = indicesOf(sessions, true);
  const badIndices = indicesOf(sessions, false);
  const errors: number[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const drawn = new Set([...drawSome(goodIndices, outcomes.good, random), ...drawSome(badIndices, outcomes.bad, random)]);
    const fit = fitCalibration(sessions.filter((_, index) => drawn.has(index)), options);
    if (fit.kind === "refused") continue;
    const rest = sessions.filter((_, index) => !drawn.has(index));
    errors.push(errorOf(rest, fit.calibration));
  }
  const sorted = errors.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return {
    shipped: errorOf(sessions, undefined),
    mean: errors.reduce((sum, error) => sum + error, 0) / errors.length,
    median: at(0.5),
    ninetieth: at(0.9),
    refused: draws - errors.length,
  };
}

const errorOf = (sessions: readonly JudgedScore[], calibration: Calibration | undefined): number =>
  expectedCalibrationErrorOf(
    sessions.map((session) => scoreJudged(session, calibration) / 100),
    sessions.map(({ isGood }) => Number(isGood)),
    { prior: 0.5 },
  );

const indicesOf = (sessions: readonly JudgedScore[], isGood: boolean): number[] =>
  [...sessions.keys()].filter((index) => sessions[index]!.isGood === isGood);

/** The first steps of a Fisher–Yates shuffle. */
function drawSome(indices: readonly number[], count: number, random: () => number): number[] {
  const left = [...indices];
  const drawn = Math.min(count, left.length);
  for (let at = 0; at < drawn; at += 1) {
    const other = at + Math.floor(random() * (left.length - at));
    [left[at], left[other]] = [left[other]!, left[at]!];
  }
  return left.slice(0, drawn);
}
