import type { ScoreCalibration } from "@assay/contract/scoring.ts";

/** Which calibration a score is on: callers are told whose, not which version. */
export const calibrationOf = (calibration: number | null): ScoreCalibration => (calibration === null ? "shipped" : "account");
