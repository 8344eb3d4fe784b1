// node training/measure-recalibration.ts --data FOLDER [--draws N] [--model VERSION]: how far an account's own calibration helps.
import { parseArgs } from "node:util";
import { currentModel } from "../packages/scoring/src/current-model.ts";
import { fitDefaults, type FitOptions, measureRecalibration } from "../packages/scoring/src/fit-calibration.ts";
import { findModel } from "../packages/scoring/src/released-models.ts";
import { seededRandom } from "./random.ts";
import { readSessionFile } from "./read-sessions.ts";

const seed = 21;
/** 500 outcomes in halves, the fewest that are accepted, and 500 as rare as GStore's buyers, which would be refused. */
const outcomes = [
  { good: 250, bad: 250 },
  { good: 200, bad: 200 },
  { good: 65, bad: 435 },
];
const free = 1_000;
const deviations: readonly Pick<FitOptions, "shiftDeviation" | "lnSlopeDeviation">[] = [
  { shiftDeviation: 0.25, lnSlopeDeviation: 0.25 },
  { shiftDeviation: 0.5, lnSlopeDeviation: 0.5 },
  fitDefaults,
  { shiftDeviation: 2, lnSlopeDeviation: 2 },
  { shiftDeviation: free, lnSlopeDeviation: free },
];

const { values } = parseArgs({ options: { data: { type: "string" }, draws: { type: "string", default: "20" }, model: { type: "string", default: currentModel.version } } });
if (values.data === undefined) {
  process.stderr.write("usage: node training/measure-recalibration.ts --data FOLDER [--draws N] [--model VERSION]\n");
  process.exit(2);
}
const model = findModel(values.model);
if (!model) throw new Error(`no model ${values.model}`);
const sessions = ["train.csv", "transfer.csv"].flatMap((name) => readSessionFile(values.data!, name).sessions);
const shown = (error: number) => error.toFixed(4);
process.stdout.write(`model ${model.version}, ${values.draws} draws each: calibration error as shipped, then mean and 90th percentile with the account's own calibration\n`);
for (const [source, ofSource] of Map.groupBy(sessions, (session) => session.source)) {
  const labelled = ofSource.map(({ signals, label }) => ({ signals, isGood: label === 1 }));
  for (const { good, bad } of outcomes) {
    if (labelled.filter(({ isGood }) => isGood).length < 2 * good) continue;
    for (const { shiftDeviation, lnSlopeDeviation } of deviations) {
      const fit = { outcomesMin: 1, shiftDeviation, lnSlopeDeviation };
      const measured = measureRecalibration(model, labelled, { outcomes: { good, bad }, draws: Number(values.draws), random: seededRandom(seed), fit });
      const prior = shiftDeviation === free ? "none" : `${shiftDeviation} / ${lnSlopeDeviation}`;
      process.stdout.write(`${source.padEnd(20)} ${good} + ${bad}  prior ${prior.padEnd(11)} ${shown(measured.shipped)}  ${shown(measured.mean)}  ${shown(measured.ninetieth)}\n`);
    }
  }
}
