import { aucOf, expectedCalibrationErrorOf, type ReliabilityBin, reliabilityOf } from "@assay/scoring/measure.ts";
import type { Model, Score } from "@assay/scoring/model.ts";
import { findModel, releasedModels } from "@assay/scoring/released-models.ts";
import { statSync } from "node:fs";
import type { JsonOption } from "./define-command.ts";
import { openFileSink, type Sink, standardOutput } from "./open-sink.ts";
import { addedColumns, type Columns, parseHeader, parseLabel, parseSignals } from "./parse-signals.ts";
import { pairLines, type Progress, printLines, showProgress, tableLines } from "./print.ts";
import { type CsvRecord, readCsv } from "./read-csv.ts";
import { Refusal } from "./refusal.ts";

export type ScoreOptions = JsonOption & { out?: string; model?: string };

/** The prior for which the model's scores are calibrated. */
const referencePrior = 0.5;

type Backtest = {
  labelled: number;
  positives: number;
  /** Null when all labels are the same. */
  auc: number | null;
  /** With the labels as given, and reweighted so that half of them are positive. */
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

/** Collects scores and labels in three bytes each. */
function createBacktest() {
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
    /** Null when no row was labelled. */
    result(): Backtest | null {
      if (count === 0) return null;
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

type Summary = {
  rows: number;
  model_version: string;
  mean_score: number | null;
  levels: Record<Score["trustLevel"], number>;
  backtest: Backtest | null;
};

/** How rows are written: as CSV lines, or as items of a JSON array. */
type Format = { header(text: string): string; row(text: string, score: Score): string };

const csvFormat: Format = {
  header: (text) => `${text},${addedColumns.join(",")}\n`,
  row: (text, score) => `${text},${score.serviceScore},${score.trustLevel},${score.confidence}\n`,
};

const jsonFormat: Format = {
  header: () => "",
  row: (_text, { serviceScore, trustLevel, confidence }) =>
    `,\n{"service_score":${serviceScore},"trust_level":"${trustLevel}","confidence":${confidence}}`,
};

/** A JSON document on standard output is buffered until it is complete; longer ones need a file. */
const bufferedRowsMax = 1_000_000;

function createScorer(columns: Columns, { format, model }: { format: Format; model: Model }) {
  const backtest = createBacktest();
  const levels = { high: 0, medium: 0, low: 0 };
  let rows = 0;
  let tenths = 0;
  let blankLine: number | undefined;

  function scoreRecord(record: CsvRecord): string {
    const score = model.score(parseSignals(record, columns));
    const label = parseLabel(record, columns);
    if (label !== undefined) backtest.add(score.serviceScore, label);
    levels[score.trustLevel] += 1;
    tenths += Math.round(score.serviceScore * 10);
    rows += 1;
    return format.row(record.text, score);
  }

  return {
    /** Empty lines are skipped at the end of a file only: elsewhere they are missing lines. */
    scoreBatch(records: readonly CsvRecord[]): string {
      let text = "";
      for (const record of records) {
        if (record.text === "") {
          blankLine ??= record.line;
          continue;
        }
        if (blankLine !== undefined) throw new Refusal(`line ${blankLine}: it is empty, but lines follow`);
        text += scoreRecord(record);
      }
      return text;
    },
    summarise: (): Summary => ({
      rows,
      model_version: model.version,
      mean_score: rows === 0 ? null : Math.round(tenths / rows) / 10,
      levels,
      backtest: backtest.result(),
    }),
  };
}

/** Reads, scores and writes in batches: memory does not grow with the file. */
async function scoreFile(path: string, { sink, format, model, progress }: { sink: Sink; format: Format; model: Model; progress: Progress }): Promise<Summary> {
  let scorer: ReturnType<typeof createScorer> | undefined;
  for await (const batch of readCsv(path, progress.add)) {
    let records = batch;
    if (!scorer) {
      scorer = createScorer(parseHeader(batch[0]!), { format, model });
      await sink.write(format.header(batch[0]!.text));
      records = batch.slice(1);
    }
    await sink.write(scorer.scoreBatch(records));
  }
  if (!scorer) throw new Refusal("it is empty; a header line was expected");
  return scorer.summarise();
}

function summaryLines(summary: Summary): string[] {
  const { levels, backtest } = summary;
  const lines = pairLines({
    Rows: String(summary.rows),
    Model: summary.model_version,
    "Mean score": String(summary.mean_score ?? "-"),
    Levels: `high ${levels.high}, medium ${levels.medium}, low ${levels.low}`,
    ...(backtest && {
      Labelled: `${backtest.labelled}, of them ${backtest.positives} positive`,
      AUC: backtest.auc?.toFixed(4) ?? "all labels are the same",
      "Calibration error": `${backtest.calibration_error.toFixed(4)} (${backtest.calibration_error_at_half.toFixed(4)} at a prior of one half)`,
    }),
  });
  if (!backtest) return lines;
  const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
  const rows = backtest.calibration.map((band) => [band.mean_score.toFixed(1), percent(band.observed), percent(band.weight)]);
  return [...lines, "", ...tableLines(["Mean score", "Observed", "Weight"], rows)];
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw new Refusal(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function explain(error: unknown, path: string): unknown {
  if (error instanceof Refusal) return new Refusal(`${path}: ${error.message}`);
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === "open" || syscall === "read" ? new Refusal(`${path} cannot be read (${code})`) : error;
}

/** Buffers what is written until nothing can fail any more. */
function createBufferSink(): Sink & { text(): string } {
  const parts: string[] = [];
  let rows = 0;
  return {
    write(text) {
      rows += text.split("\n").length - 1;
      if (rows > bufferedRowsMax) throw new Refusal(`more than ${bufferedRowsMax} rows with --json need --out`);
      parts.push(text);
      return Promise.resolve();
    },
    commit: () => Promise.resolve(),
    discard: () => Promise.resolve(),
    text: () => parts.join(""),
  };
}

function findScorer(version: string | undefined): Model {
  const model = version === undefined ? releasedModels.at(-1)!.model : findModel(version);
  if (!model) throw new Refusal(`no model has the version ${version}; there are ${releasedModels.map((each) => each.model.version).join(", ")}`);
  return model;
}

export async function runScore(path: string, options: ScoreOptions): Promise<void> {
  const model = findScorer(options.model);
  const progress = showProgress(sizeOf(path));
  const buffer = options.json && options.out === undefined ? createBufferSink() : undefined;
  const sink = buffer ?? (options.out === undefined ? standardOutput : await openFileSink(options.out, { encoding: "latin1" }));
  let summary: Summary;
  try {
    summary = await scoreFile(path, { sink, format: buffer ? jsonFormat : csvFormat, model, progress });
    await sink.commit();
  } catch (error) {
    await sink.discard();
    throw explain(error, path);
  } finally {
    progress.end();
  }
  if (options.json) {
    const scores = buffer && `,"scores":[${buffer.text().slice(1)}\n]`;
    await standardOutput.write(`${JSON.stringify({ file: path, out: options.out ?? null, ...summary }).slice(0, -1)}${scores ?? ""}}\n`);
    return;
  }
  if (options.out !== undefined) return printLines(summaryLines(summary));
  // Standard output is the CSV and nothing else.
  if (summary.backtest) process.stderr.write(`${summaryLines(summary).join("\n")}\n`);
}
