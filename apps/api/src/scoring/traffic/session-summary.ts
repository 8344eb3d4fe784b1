import { currentModel } from "@assay/scoring/current-model.ts";
import { type SignalName, signalNames } from "@assay/scoring/signals.ts";
import type { SessionRecordRow } from "../../store/schema.ts";
import { signalsOf } from "../sessions/find-session.ts";

export type SummedRow = Pick<SessionRecordRow, SignalName | "service_score" | "model_version" | "calibration">;

export type SignalSummary = {
  /** Sessions that had the signal. */
  present: number;
  sum: number;
  /** How many sessions had each value, at the precision of `atPrecision`. */
  counts: Map<number, number>;
};

/** Counts per score and per value of each signal, so that summaries can be added without loss. */
export type SessionSummary = {
  sessions: number;
  /** By score in tenths of a point, the precision of scores. */
  scores: Map<number, number>;
  /** How many of the scores are on each scale: see `scaleOf`. */
  scales: Map<string, number>;
  /** The same on a calibration that ships: by it operators judge traffic, so that no outcome that is reported can change the picture. */
  shippedScores: Map<number, number>;
  signals: Record<SignalName, SignalSummary>;
};

/** Summaries that name no scale were stored by versions that had one model. */
const scaleBefore = "additive-1";

/** Scores can be compared where they were given by the same model, on the same calibration. */
const scaleOf = (row: SummedRow): string => (row.calibration === null ? row.model_version : `${row.model_version} calibration ${row.calibration}`);

const format = 1;
/** Fractions keep two decimals; durations and counts three digits, so whole ones below 1,000 are exact. */
const fractionSteps = 100;
const exactBelow = 1_000;
const digits = 3;

const fractions: ReadonlySet<SignalName> = new Set(["user_engagement", "scroll_depth", "return_visitor"]);

/** A value as summaries count it. */
export function atPrecision(name: SignalName, value: number): number {
  if (fractions.has(name) || value < 1) return Math.round(value * fractionSteps) / fractionSteps;
  return value < exactBelow && Number.isInteger(value) ? value : Number(value.toPrecision(digits));
}

export function emptySummary(): SessionSummary {
  const signals = Object.fromEntries(signalNames.map((name) => [name, { present: 0, sum: 0, counts: new Map() }]));
  return { sessions: 0, scores: new Map(), scales: new Map(), shippedScores: new Map(), signals: signals as Record<SignalName, SignalSummary> };
}

function addCount<Value>(counts: Map<Value, number>, value: Value, count: number): void {
  counts.set(value, (counts.get(value) ?? 0) + count);
}

/** In tenths of a point. A score on the account's own calibration is computed anew, by the newest model as it is shipped. */
const shippedTenthsOf = (row: SummedRow): number =>
  Math.round(10 * (row.calibration === null ? row.service_score : currentModel.score(signalsOf(row)).serviceScore));

export function addSession(summary: SessionSummary, row: SummedRow): void {
  summary.sessions += 1;
  addCount(summary.shippedScores, shippedTenthsOf(row), 1);
  addCount(summary.scores, Math.round(row.service_score * 10), 1);
  addCount(summary.scales, scaleOf(row), 1);
  for (const name of signalNames) {
    const value = row[name];
    if (value === null) continue;
    const signal = summary.signals[name];
    signal.present += 1;
    signal.sum += value;
    addCount(signal.counts, atPrecision(name, value), 1);
  }
}

export function addSummary(total: SessionSummary, more: SessionSummary): void {
  total.sessions += more.sessions;
  for (const [tenths, count] of more.scores) addCount(total.scores, tenths, count);
  for (const [scale, count] of more.scales) addCount(total.scales, scale, count);
  for (const [tenths, count] of more.shippedScores) addCount(total.shippedScores, tenths, count);
  for (const name of signalNames) {
    const { present, sum, counts } = more.signals[name];
    const signal = total.signals[name];
    signal.present += present;
    signal.sum += sum;
    for (const [value, count] of counts) addCount(signal.counts, value, count);
  }
}

type Pairs = [value: number, count: number][];
/** `shippedScores` is left out where it equals `scores`: almost everywhere. */
type Stored = { format: number; sessions: number; scores: Pairs; shippedScores?: Pairs; scales?: [scale: string, count: number][]; signals: Record<SignalName, { present: number; sum: number; counts: Pairs }> };

const areEqual = (left: ReadonlyMap<number, number>, right: ReadonlyMap<number, number>): boolean =>
  left.size === right.size && [...left].every(([value, count]) => right.get(value) === count);

export function writeSummary({ sessions, scores, scales, shippedScores, signals }: SessionSummary): string {
  const stored: Stored = {
    format,
    sessions,
    scores: [...scores],
    scales: [...scales],
    ...(!areEqual(scores, shippedScores) && { shippedScores: [...shippedScores] }),
    signals: Object.fromEntries(
      signalNames.map((name) => [name, { ...signals[name], counts: [...signals[name].counts] }]),
    ) as Stored["signals"],
  };
  return JSON.stringify(stored);
}

export function readSummary(text: string): SessionSummary {
  const stored = JSON.parse(text) as Stored;
  if (stored.format !== format) throw new Error(`unknown summary format ${stored.format}`);
  const signals = Object.fromEntries(
    signalNames.map((name) => [name, { ...stored.signals[name], counts: new Map(stored.signals[name].counts) }]),
  );
  const scales = new Map(stored.scales ?? (stored.sessions === 0 ? [] : [[scaleBefore, stored.sessions]]));
  const scores = new Map(stored.scores);
  const shippedScores = new Map(stored.shippedScores ?? stored.scores);
  return { sessions: stored.sessions, scores, scales, shippedScores, signals: signals as Record<SignalName, SignalSummary> };
}
