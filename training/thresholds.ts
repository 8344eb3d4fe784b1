import type { Evaluation } from "./evaluate.ts";

/** A requirement, the measured value, and whether it is met. */
export type Check = { requirement: string; measured: number; least?: number; most?: number; isMet: boolean };

/** All requirements that are checked on data. The names are keys of the artefact's metrics. */
export function checkThresholds(evaluation: Evaluation): Check[] {
  const { sources, boosting, gstoreInside, crossValidated, ownCalibration, certainty, nearThresholds } = evaluation;
  const { library, shoppers, gstore, reading } = sources;
  // Not everybody has transfer.csv: requirements on a source without sessions are left out, not passed.
  const isMeasured = ({ requirement }: Check) =>
    (gstore.sessions > 0 || !requirement.includes("GStore")) && (reading.sessions > 0 || !requirement.includes("reading"));
  const checks = [
    atLeast("AUC, library", library.auc, 0.937),
    atLeast("AUC, shoppers", shoppers.auc, 0.72),
    atLeast("AUC, shoppers, cross-validated", crossValidated.engaged, 0.715),
    atLeast("AUC, GStore (never trained on)", gstore.auc, 0.912),
    atMost("Calibration error, library", library.calibrationError, 0.03),
    atMost("Calibration error, shoppers", shoppers.calibrationError, 0.05),
    atMost("Calibration error, GStore, as shipped", gstore.calibrationError, 0.1),
    atMost("Calibration error, GStore, with 500 outcomes of its own", ownCalibration.mean, 0.03),
    atLeast("Robots low", library.levelsOfZeros.low, 0.955),
    atMost("Robots high", library.levelsOfZeros.high, 0.008),
    atMost("Engaged people low, shoppers who bought", shoppers.levelsOfOnes.low, 0.03),
    atLeast("Engaged people high, shoppers who bought", shoppers.levelsOfOnes.high, 0.6),
    atMost("Others high, shoppers who did not buy", shoppers.levelsOfZeros.high, 0.45),
    atMost("Engaged people low, GStore buyers", gstore.levelsOfOnes.low, 0.03),
    atLeast("Engaged people high, GStore buyers", gstore.levelsOfOnes.high, 0.45),
    atMost("Others high, GStore visitors who did not buy", gstore.levelsOfZeros.high, 0.05),
    atLeast("Lead over the hand-weighted formula, library", library.auc - library.aucHand, 0),
    atLeast("Lead over the hand-weighted formula, shoppers", shoppers.auc - shoppers.aucHand, 0),
    atLeast("Lead over the hand-weighted formula, GStore", gstore.auc - gstore.aucHand, 0),
    atLeast("Lead over the hand-weighted formula, reading", reading.auc - reading.aucHand, 0),
    atMost("Gradient boosting's lead, library", boosting.library - library.auc, 0.01),
    atMost("Gradient boosting's lead, shoppers", boosting.shoppers - shoppers.auc, 0.01),
    atMost("Gradient boosting's lead, GStore, neither trained on it", boosting.gstore - gstore.auc, 0.01),
    atMost("Gradient boosting's lead, GStore, boosting trained on it", gstoreInside.boosting - gstoreInside.model, 0.01),
    atMost("Confidence: calibration error, nothing hidden", certainty.nothing.calibrationError, 0.03),
    atMost("Confidence: calibration error, signals hidden at random", certainty.random.calibrationError, 0.03),
    atMost("Confidence: calibration error, optional signals hidden", certainty.optional.calibrationError, 0.03),
    atMost("Confidence: mean within 3 points of a threshold", nearThresholds.meanConfidence, 0.75),
    within("Interval coverage, signals hidden at random", certainty.random.coverage, 0.88, 0.92),
    within("Interval coverage, optional signals hidden", certainty.optional.coverage, 0.88, 0.92),
  ];
  return checks.filter(isMeasured);
}

const atLeast = (requirement: string, measured: number, least: number): Check => ({
  requirement,
  measured,
  least,
  isMet: measured >= least,
});

const atMost = (requirement: string, measured: number, most: number): Check => ({
  requirement,
  measured,
  most,
  isMet: measured <= most,
});

const within = (requirement: string, measured: number, least: number, most: number): Check => ({
  requirement,
  measured,
  least,
  most,
  isMet: measured >= least && measured <= most,
});
