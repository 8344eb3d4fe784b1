import { measureRecalibration } from "../packages/scoring/src/fit-calibration.ts";
import type { RecalibrationMeasure } from "../packages/scoring/src/fit-calibration.ts";
import { aucOf } from "../packages/scoring/src/measure.ts";
import { compileTerms } from "../packages/scoring/src/evaluate-terms.ts";
import type { Model } from "../packages/scoring/src/model.ts";
import type { SignalName } from "../packages/scoring/src/signals.ts";
import { evaluateReturnRule } from "./evaluate-return-rule.ts";
import type { ReturnRule } from "./evaluate-return-rule.ts";
import { confidenceNearThresholds, evaluateCertainty, evaluateMissing, hideAtRandom, hideNothing, hideOptional } from "./evaluate-certainty.ts";
import type { CertaintyMetrics, MissingRow } from "./evaluate-certainty.ts";
import { evaluateSource } from "./evaluate-source.ts";
import type { SourceMetrics } from "./evaluate-source.ts";
import { fitTerms } from "./fit-terms.ts";
import { fitBoosting } from "./gradient-boosting.ts";
import type { BoostedModel } from "./gradient-boosting.ts";
import { fromCompleteSources } from "./learn-certainty.ts";
import type { Fit } from "./learn-certainty.ts";
import { hashText, seededRandom } from "./random.ts";
import { tasks } from "./read-sessions.ts";
import type { Session, Task } from "./read-sessions.ts";

/** The three sources with requirements, and the small one that is only reported. */
export const sourceNames = {
  library: "auth_library_logs",
  shoppers: "uci_online_shoppers",
  gstore: "gstore_ga360",
  reading: "scroll_reading",
} as const;

export type SourceKey = keyof typeof sourceNames;

export type Evaluation = {
  sources: Record<SourceKey, SourceMetrics>;
  /** AUC of boosting fitted on the same sessions; for GStore, which may not be trained on, on the shoppers. */
  boosting: Record<"library" | "shoppers" | "gstore", number>;
  /** AUC on half of GStore, of boosting trained on the other half and of the model. */
  gstoreInside: { boosting: number; model: number };
  /** AUC on each source of models fitted on one training source only. */
  leftOut: { fittedOn: string; testedOn: SourceKey; auc: number }[];
  /** Measured within the fitting sessions of the shoppers. */
  returnRule: ReturnRule;
  /** Mean AUC over ten folds of all of train.csv. */
  crossValidated: Record<Task, number>;
  /** Calibration error on GStore with an account's own calibration, fitted to so many outcomes and measured on the others. */
  ownCalibration: RecalibrationMeasure;
  certainty: Record<"nothing" | "random" | "optional", CertaintyMetrics>;
  nearThresholds: { sessions: number; meanConfidence: number };
  missing: MissingRow[];
};

type Parts = { model: Model; refits: readonly Fit[]; fitting: readonly Session[]; heldOut: readonly Session[]; transfer: readonly Session[] };

export function evaluate(parts: Parts, progress: (step: string) => void): Evaluation {
  const { model, refits, fitting, heldOut, transfer } = parts;
  const unseen = [...heldOut, ...transfer];
  const unseenOf = (key: SourceKey) => unseen.filter(({ source }) => source === sourceNames[key]);
  const sources = {} as Record<SourceKey, SourceMetrics>;
  for (const key of Object.keys(sourceNames) as SourceKey[]) {
    progress(`evaluating on unseen sessions of ${sourceNames[key]}`);
    sources[key] = evaluateSource(model, unseenOf(key));
  }
  progress("fitting the gradient-boosting baselines");
  const fittingOf = (key: SourceKey) => fitting.filter(({ source }) => source === sourceNames[key]);
  const boosting = {
    library: boostedAuc(fitBoosting(fittingOf("library")), unseenOf("library")),
    shoppers: boostedAuc(fitBoosting(fittingOf("shoppers")), unseenOf("shoppers")),
    gstore: boostedAuc(fitBoosting(fittingOf("shoppers"), gstoreSignals), unseenOf("gstore")),
  };
  progress("leaving one source out");
  const leftOut = leaveOneOut(fittingOf, unseenOf);
  progress("measuring the cost of the rule for returning visitors");
  const returnRule = evaluateReturnRule(fittingOf("shoppers"));
  progress("cross-validating over all of train.csv");
  const crossValidated = crossValidate([...fitting, ...heldOut]);
  progress("calibrating GStore by its own outcomes");
  const ownCalibration = measureRecalibration(
    model,
    unseenOf("gstore").map(({ signals, label }) => ({ signals, isGood: label === 1 })),
    { outcomes: ownOutcomes, draws: ownDraws, random: seededRandom(ownSeed) },
  );
  progress("hiding signals of unseen sessions");
  const whole = fromCompleteSources(heldOut);
  return {
    sources,
    boosting,
    gstoreInside: compareInside(model, unseenOf("gstore")),
    leftOut,
    returnRule,
    crossValidated,
    ownCalibration,
    certainty: {
      nothing: evaluateCertainty(model, refits, whole, hideNothing),
      random: evaluateCertainty(model, refits, whole, hideAtRandom),
      optional: evaluateCertainty(model, refits, whole, hideOptional),
    },
    nearThresholds: confidenceNearThresholds(model, whole),
    missing: evaluateMissing(model, whole),
  };
}

const ownOutcomes = { good: 250, bad: 250 };
const ownDraws = 40;
const ownSeed = 21;

const crossValidationFolds = 10;

function crossValidate(sessions: readonly Session[]): Record<Task, number> {
  const sums = { human: 0, engaged: 0 };
  const foldOf = ({ rowId }: Session) => hashText(`fold ${rowId}`) % crossValidationFolds;
  for (let fold = 0; fold < crossValidationFolds; fold += 1) {
    const logOdds = compileTerms(fitTerms(sessions.filter((session) => foldOf(session) !== fold)).terms);
    for (const task of tasks) {
      const tested = sessions.filter((session) => foldOf(session) === fold && session.task === task);
      sums[task] += aucOf(tested.map(({ signals }) => logOdds(signals).sum), tested.map(({ label }) => label)) / crossValidationFolds;
    }
  }
  return sums;
}

/** The signals that GStore has: a tree that splits on any other would be useless there. */
const gstoreSignals: readonly SignalName[] = ["session_duration", "page_views", "return_visitor"];

function boostedAuc(boosted: BoostedModel, sessions: readonly Session[]): number {
  return aucOf(sessions.map(({ signals }) => boosted(signals)), sessions.map(({ label }) => label));
}

function compareInside(model: Model, sessions: readonly Session[]): Evaluation["gstoreInside"] {
  const half = (parity: number) => sessions.filter(({ rowId }) => hashText(`inside ${rowId}`) % 2 === parity);
  const tested = half(1);
  const scores = tested.map(({ signals }) => model.score(signals).serviceScore);
  return {
    boosting: boostedAuc(fitBoosting(half(0)), tested),
    model: aucOf(scores, tested.map(({ label }) => label)),
  };
}

function leaveOneOut(
  fittingOf: (key: SourceKey) => readonly Session[],
  unseenOf: (key: SourceKey) => readonly Session[],
): Evaluation["leftOut"] {
  const rows: Evaluation["leftOut"] = [];
  for (const fittedOn of ["library", "shoppers"] as const) {
    const logOdds = compileTerms(fitTerms(fittingOf(fittedOn)).terms);
    for (const testedOn of ["library", "shoppers", "gstore"] as const) {
      const sessions = unseenOf(testedOn);
      const scores = sessions.map(({ signals }) => logOdds(signals).sum);
      rows.push({ fittedOn, testedOn, auc: aucOf(scores, sessions.map(({ label }) => label)) });
    }
  }
  return rows;
}
