import { currentModel } from "@assay/scoring/current-model.ts";
import type { Score } from "@assay/scoring/model.ts";
import { statSync } from "node:fs";
import { type Backtest, createBacktest } from "./backtest.ts";
import type { JsonOption } from "./define-command.ts";
import { openFileSink, type Sink, standardOutput } from "./open-sink.ts";
import { addedColumns, type Columns, parseHeader, parseLabel, parseSignals } from "./parse-signals.ts";
import { pairLines, printLines, tableLines } from "./print.ts";
import { type CsvRecord, readCsv } from "./read-csv.ts";
import { Refusal } from "./refusal.ts";
import { type Progress, showProgress } from "./show-progress.ts";

export type ScoreOptions = JsonOption & { out?: string };

type Summary = {
  rows: number;
  model_version: string;
  mean_score: number | null;
  levels: Record<Score["trustLevel"], number>;
  backtest: Backtest | null;
};

/** How rows are written down: as lines of CSV, or as items of a JSON list. */
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

/** A JSON document on standard output is held back until it is complete; longer ones need a file. */
const heldRowsMax = 1_000_000;

function createScorer(columns: Columns, format: Format) {
  const backtest = createBacktest();
  const levels = { high: 0, medium: 0, low: 0 };
  let rows = 0;
  let tenths = 0;
  let blankLine: number | undefined;

  function scoreRecord(record: CsvRecord): string {
    const score = currentModel.score(parseSignals(record, columns));
    const label = parseLabel(record, columns);
    if (label !== undefined) backtest.add(score.serviceScore, label);
    levels[score.trustLevel] += 1;
    tenths += Math.round(score.serviceScore * 10);
    rows += 1;
    return format.row(record.text, score);
  }

  return {
    /** Empty lines are passed over at the end of a file only: elsewhere they are lines that went missing. */
    scoreBatch(records: readonly CsvRecord[]): string {
      let text = "";
      for (const record of records) {
        if (record.text === "") {
          blankLine ??= record.line;
          continue;
        }
        if (blankLine !== undefined) throw new Refusal(`line ${blankLine}: it is empty, and lines follow`);
        text += scoreRecord(record);
      }
      return text;
    },
    summarise: (): Summary => ({
      rows,
      model_version: currentModel.version,
      mean_score: rows === 0 ? null : Math.round(tenths / rows) / 10,
      levels,
      backtest: backtest.result() ?? null,
    }),
  };
}

/** Reads, scores and writes batch by batch: memory does not grow with the file. */
async function scoreFile(path: string, { sink, format, progress }: { sink: Sink; format: Format; progress: Progress }): Promise<Summary> {
  let scorer: ReturnType<typeof createScorer> | undefined;
  for await (const batch of readCsv(path, progress.add)) {
    let records = batch;
    if (!scorer) {
      scorer = createScorer(parseHeader(batch[0]!), format);
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

/** Holds what is written until the end, when nothing can go wrong any more. */
function createHeldSink(): Sink & { text(): string } {
  const parts: string[] = [];
  let rows = 0;
  return {
    write(text) {
      rows += text.split("\n").length - 1;
      if (rows > heldRowsMax) throw new Refusal(`more than ${heldRowsMax} rows with --json need --out`);
      parts.push(text);
      return Promise.resolve();
    },
    keep: () => Promise.resolve(),
    discard: () => Promise.resolve(),
    text: () => parts.join(""),
  };
}

export async function runScore(path: string, options: ScoreOptions): Promise<void> {
  const progress = showProgress(sizeOf(path));
  const held = options.json && options.out === undefined ? createHeldSink() : undefined;
  const sink = held ?? (options.out === undefined ? standardOutput : await openFileSink(options.out));
  let summary: Summary;
  try {
    summary = await scoreFile(path, { sink, format: held ? jsonFormat : csvFormat, progress });
    await sink.keep();
  } catch (error) {
    await sink.discard();
    throw explain(error, path);
  } finally {
    progress.end();
  }
  if (options.json) {
    const scores = held && `,"scores":[${held.text().slice(1)}\n]`;
    await standardOutput.write(`${JSON.stringify({ file: path, out: options.out ?? null, ...summary }).slice(0, -1)}${scores ?? ""}}\n`);
    return;
  }
  if (options.out !== undefined) return printLines(summaryLines(summary));
  // Standard output is the CSV, and nothing else.
  if (summary.backtest) process.stderr.write(`${summaryLines(summary).join("\n")}\n`);
}
