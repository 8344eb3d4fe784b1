import type { Model } from "@assay/scoring/model.ts";
import type { OwnCalibration } from "../../access/keys/own-calibration.ts";

/** What scores a session, and which calibration of the account's own its scores are on; null for the one that it ships with. */
export type ScoringModel = { model: Model; calibration: number | null };

/** Compiled models of a node, each about 80 KB. One that was evicted is compiled again, in half a millisecond. */
const compiledMax = 500;

/** The account's own calibration of a model, compiled once. A calibration that was fitted for another model is not used. */
export function createCalibratedModels(max = compiledMax): (shipped: ScoringModel, own: OwnCalibration) => ScoringModel {
  const compiled = new Map<string, ScoringModel>();
  return (shipped, own) => {
    if (own.modelVersion !== shipped.model.version) return shipped;
    const known = compiled.get(own.name);
    if (known) return known;
    const model = shipped.model.calibrated({ shift: own.shift, slope: own.slope });
    const scoring = { model, calibration: own.version };
    // Evicts the oldest entry: a Map iterates in insertion order.
    if (compiled.size >= max) compiled.delete(compiled.keys().next().value!);
    compiled.set(own.name, scoring);
    return scoring;
  };
}
