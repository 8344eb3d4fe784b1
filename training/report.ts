import { sourceNames } from "./evaluate.ts";
import type { Evaluation, SourceKey } from "./evaluate.ts";
import type { Check } from "./thresholds.ts";
import type { OutOfFold } from "./train-model.ts";

export type ReportParts = {
  version: string;
  evaluation: Evaluation;
  outOfFold: OutOfFold;
  checks: readonly Check[];
  counts: { fitting: number; heldOut: number; transfer: number };
};

/** Rows of text cells, the first being the header, for the report and the model card. */
export type Table = readonly (readonly string[])[];

export const toDigits = (value: number, digits = 4) => value.toFixed(digits);
export const toPercent = (value: number) => `${(100 * value).toFixed(1)}%`;

export function checksTable(checks: readonly Check[]): Table {
  const limitOf = ({ least, most }: Check) => {
    if (least !== undefined && most !== undefined) return `${least} to ${most}`;
    return least !== undefined ? `>= ${least}` : `<= ${most}`;
  };
  return [
    ["Requirement", "Measured", "Limit", "Result"],
    ...checks.map((check) => [
      check.requirement,
      toDigits(check.measured),
      limitOf(check),
      check.isMet ? "PASS" : "FAIL",
    ]),
  ];
}

/** The sources that there were sessions of: not everybody has transfer.csv. */
const keysOf = (sources: Evaluation["sources"]) => (Object.keys(sourceNames) as SourceKey[]).filter((key) => sources[key].sessions > 0);

export function discriminationTable({ sources, boosting }: Evaluation): Table {
  return [
    ["Source", "Sessions", "AUC", "95% interval", "Distinct vectors", "Share distinct", "Hand formula", "Boosting"],
    ...keysOf(sources).map((key) => {
      const source = sources[key];
      return [
        sourceNames[key],
        String(source.sessions),
        toDigits(source.auc),
        source.aucInterval.map((end) => toDigits(end)).join(" to "),
        toDigits(source.aucDistinct),
        toPercent(source.distinctShare),
        toDigits(source.aucHand),
        key === "reading" ? "-" : toDigits(boosting[key]),
      ];
    }),
  ];
}

export function calibrationTable({ sources }: Evaluation): Table {
  return [
    ["Source", "Error as shipped", "Recalibrated", "Shift", "Slope"],
    ...keysOf(sources).map((key) => [
      sourceNames[key],
      toDigits(sources[key].calibrationError),
      toDigits(sources[key].recalibratedError),
      toDigits(sources[key].recalibration.shift, 2),
      toDigits(sources[key].recalibration.slope, 2),
    ]),
  ];
}

const labelTexts: Readonly<Record<SourceKey, [zero: string, one: string]>> = {
  library: ["robots", "people"],
  shoppers: ["did not buy", "bought"],
  gstore: ["did not buy", "bought"],
  reading: ["did not understand", "understood"],
};

export function levelsTable({ sources }: Evaluation): Table {
  const rowOf = (key: SourceKey, label: 0 | 1) => {
    const { low, medium, high } = label === 1 ? sources[key].levelsOfOnes : sources[key].levelsOfZeros;
    return [sourceNames[key], labelTexts[key][label], toPercent(low), toPercent(medium), toPercent(high)];
  };
  return [["Source", "Label", "low", "medium", "high"], ...keysOf(sources).flatMap((key) => [rowOf(key, 0), rowOf(key, 1)])];
}

export function leftOutTable({ leftOut, sources }: Evaluation): Table {
  return [
    ["Fitted on", "Tested on", "AUC", "Shipped model"],
    ...leftOut.filter(({ testedOn }) => sources[testedOn].sessions > 0).map(({ fittedOn, testedOn, auc }) => [
      sourceNames[fittedOn as SourceKey],
      sourceNames[testedOn],
      toDigits(auc),
      toDigits(sources[testedOn].auc),
    ]),
  ];
}

export function certaintyTable({ certainty }: Evaluation): Table {
  const rowOf = (name: string, metrics: Evaluation["certainty"]["random"]) => [
    name,
    String(metrics.sessions),
    toPercent(metrics.agreement),
    toPercent(metrics.meanConfidence),
    toDigits(metrics.calibrationError),
    toPercent(metrics.coverage),
    toDigits(metrics.meanWidth, 1),
  ];
  return [
    ["Hidden", "Sessions", "Level unchanged", "Mean confidence", "Calibration error", "Interval coverage", "Mean width"],
    rowOf("nothing", certainty.nothing),
    rowOf("at random, as in training", certainty.random),
    rowOf("interactions, pages or both", certainty.optional),
  ];
}

export function missingTable({ missing }: Evaluation): Table {
  return [
    ["Missing", "AUC", "Level unchanged", "Mean confidence"],
    ...missing.map(({ hidden, auc, agreement, meanConfidence }) => [
      hidden.length === 0 ? "nothing" : hidden.join(", "),
      toDigits(auc),
      toPercent(agreement),
      toPercent(meanConfidence),
    ]),
  ];
}

export function otherFiguresTable({ evaluation, outOfFold, counts }: ReportParts): Table {
  const { returnRule } = evaluation;
  return [
    ["Figure", "Value"],
    ["Sessions fitted on", String(counts.fitting)],
    ["Held-out sessions of train.csv", String(counts.heldOut)],
    ["Sessions of transfer.csv, evaluated only", String(counts.transfer)],
    ["AUC cross-validated over train.csv, library", toDigits(evaluation.crossValidated.human)],
    ["AUC cross-validated over train.csv, shoppers", toDigits(evaluation.crossValidated.engaged)],
    ["AUC out of fold, library, all fitting sessions", toDigits(outOfFold.human)],
    ["AUC out of fold, shoppers, all fitting sessions", toDigits(outOfFold.engaged)],
    ...(evaluation.sources.gstore.sessions === 0 ? [] : [
      ["Half of GStore: boosting trained on the other half, AUC", toDigits(evaluation.gstoreInside.boosting)],
      ["GStore with 500 outcomes of its own: calibration error in the worst draw of ten", toDigits(evaluation.ownCalibration.ninetieth)],
      ["Half of GStore: this model, never trained on it, AUC", toDigits(evaluation.gstoreInside.model)],
    ]),
    ["Sessions within 3 points of a threshold, library", String(evaluation.nearThresholds.sessions)],
    ["Shoppers alone, mean AUC over folds: this kind of model", toDigits(returnRule.withRule)],
    ["Shoppers alone, the same with the rule for returning visitors reversed", toDigits(returnRule.reversed)],
    ["Shoppers alone, boosting", toDigits(returnRule.boosting)],
    ["Shoppers alone, boosting without return_visitor", toDigits(returnRule.boostingWithoutReturn)],
  ];
}

/** Output of the training command: every figure of the model card. */
export function reportText(parts: ReportParts): string {
  const { evaluation, checks } = parts;
  const failed = checks.filter(({ isMet }) => !isMet).length;
  const sections: [string, Table][] = [
    ["Requirements", checksTable(checks)],
    ["Discrimination (sessions never fitted on)", discriminationTable(evaluation)],
    ["Calibration at a prior of one half", calibrationTable(evaluation)],
    ["Levels", levelsTable(evaluation)],
    ["One source left out", leftOutTable(evaluation)],
    ["Confidence and interval (library, held out)", certaintyTable(evaluation)],
    ["Missing signals (library, held out)", missingTable(evaluation)],
    ["Other figures", otherFiguresTable(parts)],
  ];
  const text = sections.map(([title, table]) => `${title}\n${alignTable(table)}`).join("\n\n");
  const verdict = failed === 0 ? "all requirements are met" : `${failed} of ${checks.length} requirements are not met`;
  return `Model ${parts.version}: ${verdict}\n\n${text}\n`;
}

function alignTable(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
  const drawRow = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return table.map((row) => `  ${drawRow(row)}`.trimEnd()).join("\n");
}
