import { expectedCalibrationErrorOf, reliabilityOf } from "../packages/scoring/src/measure.ts";
import { aucOf } from "../packages/scoring/src/measure.ts";
import type { ReliabilityBin } from "../packages/scoring/src/measure.ts";
import type { Model } from "../packages/scoring/src/model.ts";
import type { SignalName, Signals } from "../packages/scoring/src/signals.ts";
import { learntSignals } from "../packages/scoring/src/stability.ts";
import { trustLevelOf, trustThresholds } from "../packages/scoring/src/trust-level.ts";
import { hideProbability } from "./hide-signals.ts";
import { compileScore } from "./learn-certainty.ts";
import type { Fit } from "./learn-certainty.ts";
import { hashText, seededRandom } from "./random.ts";
import type { Session } from "./read-sessions.ts";

/** Metrics of confidence and interval on sessions with hidden signals, against fits on other samples. */
export type CertaintyMetrics = {
  sessions: number;
  agreement: number;
  meanConfidence: number;
  calibrationError: number;
  coverage: number;
  meanWidth: number;
  reliability: ReliabilityBin[];
};

export type Hider = (session: Session) => readonly SignalName[];

/** Hides signals as in training: each with its own probability, at least one. */
export function hideAtRandom(session: Session): readonly SignalName[] {
  const random = seededRandom(hashText(`evaluate ${session.rowId}`));
  const seen = learntSignals.filter((name) => session.signals[name] !== undefined);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const hidden = seen.filter((name) => random() < hideProbability[name]);
    if (hidden.length > 0) return hidden;
  }
  return seen.slice(-1);
}

/** Hides one or both of the signals that are optional in the API. */
export function hideOptional(session: Session): readonly SignalName[] {
  const choice = hashText(`optional ${session.rowId}`) % 3;
  if (choice === 0) return ["interaction_count"];
  return choice === 1 ? ["page_views"] : ["interaction_count", "page_views"];
}

/** Nothing is hidden: the sample that the model was fitted on is all that is uncertain. */
export const hideNothing: Hider = () => [];

/** Compares each session, with signals hidden, with what each fit on another sample says of the whole session. */
export function evaluateCertainty(model: Model, refits: readonly Fit[], sessions: readonly Session[], hide: Hider): CertaintyMetrics {
  const others = refits.map(compileScore);
  const confidences: number[] = [];
  const agrees: number[] = [];
  let [within, width] = [0, 0];
  for (const session of sessions) {
    const partial = model.explain(without(session.signals, hide(session)));
    const [low, high] = partial.interval;
    for (const scoreOf of others) {
      const score = scoreOf(session);
      confidences.push(partial.confidence);
      agrees.push(partial.trustLevel === trustLevelOf(score) ? 1 : 0);
      within += low <= score && score <= high ? 1 : 0;
    }
    width += high - low;
  }
  return {
    sessions: sessions.length,
    agreement: meanOf(agrees),
    meanConfidence: meanOf(confidences),
    calibrationError: expectedCalibrationErrorOf(confidences, agrees),
    coverage: within / confidences.length,
    meanWidth: width / sessions.length,
    reliability: reliabilityOf(confidences, agrees),
  };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Points around a threshold within which a level is hardly certain. */
const nearPoints = 3;

/** Mean confidence of the sessions whose score is near a threshold. */
export function confidenceNearThresholds(model: Model, sessions: readonly Session[]): { sessions: number; meanConfidence: number } {
  const near = sessions
    .map(({ signals }) => model.score(signals))
    .filter(({ serviceScore }) => Object.values(trustThresholds).some((threshold) => Math.abs(serviceScore - threshold) <= nearPoints));
  return { sessions: near.length, meanConfidence: meanOf(near.map(({ confidence }) => confidence)) };
}

export function without(signals: Signals, hidden: readonly SignalName[]): Signals {
  const rest = { ...signals };
  for (const name of hidden) delete rest[name];
  return rest;
}

/** Metrics when certain signals are always missing. */
export type MissingRow = { hidden: readonly SignalName[]; auc: number; agreement: number; meanConfidence: number };

const missingPatterns: readonly (readonly SignalName[])[] = [
  [],
  ["interaction_count"],
  ["page_views"],
  ["user_engagement"],
  ["session_duration"],
  ["interaction_count", "page_views"],
];

export function evaluateMissing(model: Model, sessions: readonly Session[]): MissingRow[] {
  const labels = sessions.map(({ label }) => label);
  const whole = sessions.map(({ signals }) => model.score(signals).trustLevel);
  return missingPatterns.map((hidden) => {
    const scored = sessions.map(({ signals }) => model.score(without(signals, hidden)));
    const same = scored.filter(({ trustLevel }, index) => trustLevel === whole[index]).length;
    return {
      hidden,
      auc: aucOf(scored.map(({ serviceScore }) => serviceScore), labels),
      agreement: same / sessions.length,
      meanConfidence: scored.reduce((sum, { confidence }) => sum + confidence, 0) / sessions.length,
    };
  });
}
