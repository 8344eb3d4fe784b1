import { aucOf, expectedCalibrationErrorOf, type ReliabilityBin, reliabilityOf } from "@assay/scoring/measure.ts";

/** The prior at which the model's scores are calibrated. */
const referencePrior = 0.5;

export type Backtest = {
  labelled: number;
  positives: number;
  /** Null where all labels are the same. */
  auc: number | null;
  /** Labels as they come, and reweighted so that half of them are ones. */
  calibration_error: number;
  calibration_error_at_half: number;
  calibration: { mean_score: number; observed: number; weight: number }[];
};

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

const toBand = ({ said, seen, weight }: ReliabilityBin) => ({
  mean_score: Math.round(said * 1_000) / 10,
  observed: rounded(seen),
  weight: rounded(weight),
});

/** Gathers scores and labels in three bytes each. */
export function createBacktest() {
  let tenths = new Uint16Array(4_096);
  let labels = new Uint8Array(4_096);
  let count = 0;

  function grow(): void {
    const [oldTenths, oldLabels] = [tenths, labels];
    tenths = new Uint16Array(2 * oldTenths.length);
    labels = new Uint8Array(2 * oldLabels.length);
    tenths.set(oldTenths);
    labels.set(oldLabels);
  }

  return {
    add(serviceScore: number, label: boolean): void {
      if (count === tenths.length) grow();
      tenths[count] = Math.round(serviceScore * 10);
      labels[count] = Number(label);
      count += 1;
    },
    /** Undefined when nothing was labelled. */
    result(): Backtest | undefined {
      if (count === 0) return undefined;
      const probabilities = Float64Array.from(tenths.subarray(0, count), (each) => each / 1_000);
      const given = labels.subarray(0, count);
      const auc = aucOf(probabilities, given);
      return {
        labelled: count,
        positives: given.reduce((sum, label) => sum + label, 0),
        auc: Number.isNaN(auc) ? null : rounded(auc),
        calibration_error: rounded(expectedCalibrationErrorOf(probabilities, given)),
        calibration_error_at_half: rounded(expectedCalibrationErrorOf(probabilities, given, { prior: referencePrior })),
        calibration: reliabilityOf(probabilities, given).map(toBand),
      };
    },
  };
}
