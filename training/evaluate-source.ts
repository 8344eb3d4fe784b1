import { aucOf, expectedCalibrationErrorOf, reliabilityOf } from "../packages/scoring/src/measure.ts";
import type { ReliabilityBin } from "../packages/scoring/src/measure.ts";
import type { Model } from "../packages/scoring/src/model.ts";
import { signalNames } from "../packages/scoring/src/signals.ts";
import type { TrustLevel } from "../packages/scoring/src/trust-level.ts";
import { aucInterval } from "./bootstrap.ts";
import { handFormulaScore } from "./hand-formula.ts";
import { recalibratedError } from "./recalibrate.ts";
import type { Recalibration } from "./recalibrate.ts";
import type { Session } from "./read-sessions.ts";

export type LevelShares = Record<TrustLevel, number>;

/** Metrics on the sessions of one source that took no part in fitting. */
export type SourceMetrics = {
  source: string;
  sessions: number;
  auc: number;
  aucInterval: [number, number];
  /** AUC when each combination of signals and label counts once. */
  aucDistinct: number;
  distinctShare: number;
  aucHand: number;
  /** Calibration error of the probability for the source's task, including the gate, at a prior of one half. */
  calibrationError: number;
  /** The same after a two-parameter recalibration, fitted on one half and measured on the other. */
  recalibratedError: number;
  recalibration: Recalibration;
  reliability: ReliabilityBin[];
  levelsOfZeros: LevelShares;
  levelsOfOnes: LevelShares;
  roc: { falsePositives: number; truePositives: number }[];
};

const bootstrapSeed = 11;

export function evaluateSource(model: Model, sessions: readonly Session[]): SourceMetrics {
  const labels = sessions.map(({ label }) => label);
  const scores: number[] = [];
  const probabilities: number[] = [];
  const levels: TrustLevel[] = [];
  for (const { signals, task } of sessions) {
    const explained = model.explain(signals);
    const openness = explained.contributions.find(({ signal }) => signal === "plausibility")?.value ?? 1;
    scores.push(explained.serviceScore);
    probabilities.push(explained.probabilities[task] * Number(openness));
    levels.push(explained.trustLevel);
  }
  const distinct = distinctIndices(sessions);
  const { recalibration, error } = recalibratedError(sessions.map(({ rowId }) => rowId), probabilities, labels);
  return {
    source: sessions[0]?.source ?? "",
    sessions: sessions.length,
    auc: aucOf(scores, labels),
    aucInterval: aucInterval(scores, labels, bootstrapSeed),
    aucDistinct: aucOf(
      distinct.map((index) => scores[index] as number),
      distinct.map((index) => labels[index] as number),
    ),
    distinctShare: distinct.length / sessions.length,
    aucHand: aucOf(sessions.map(({ signals }) => handFormulaScore(signals)), labels),
    calibrationError: expectedCalibrationErrorOf(probabilities, labels, { prior: 0.5 }),
    recalibratedError: error,
    recalibration,
    reliability: reliabilityOf(probabilities, labels, { prior: 0.5 }),
    levelsOfZeros: levelShares(levels.filter((_, index) => labels[index] === 0)),
    levelsOfOnes: levelShares(levels.filter((_, index) => labels[index] === 1)),
    roc: rocOf(scores, labels),
  };
}

function levelShares(levels: readonly TrustLevel[]): LevelShares {
  const shareOf = (level: TrustLevel) => levels.filter((each) => each === level).length / levels.length;
  return { low: shareOf("low"), medium: shareOf("medium"), high: shareOf("high") };
}

/** The first of each group of sessions with the same signals and label. */
function distinctIndices(sessions: readonly Session[]): number[] {
  const known = new Set<string>();
  const indices: number[] = [];
  for (const [index, { signals, label }] of sessions.entries()) {
    const key = `${signalNames.map((name) => signals[name]).join(" ")} ${label}`;
    if (known.has(key)) continue;
    known.add(key);
    indices.push(index);
  }
  return indices;
}

const rocPoints = 60;

/** Points of the ROC curve, thinned out for plotting. */
function rocOf(scores: readonly number[], labels: readonly number[]): SourceMetrics["roc"] {
  const thresholds = [...new Set(scores)].toSorted((left, right) => right - left);
  const every = Math.max(1, Math.floor(thresholds.length / rocPoints));
  const ones = labels.filter((label) => label === 1).length;
  const points = thresholds
    .filter((_, index) => index % every === 0)
    .map((threshold) => {
      let [falsePositives, truePositives] = [0, 0];
      for (const [index, score] of scores.entries()) {
        if (score < threshold) continue;
        if (labels[index] === 1) truePositives += 1;
        else falsePositives += 1;
      }
      return { falsePositives: falsePositives / (labels.length - ones), truePositives: truePositives / ones };
    });
  return [{ falsePositives: 0, truePositives: 0 }, ...points, { falsePositives: 1, truePositives: 1 }];
}
