import { SessionData } from "@assay/contract/scoring.ts";
import { type SignalName, type Signals, signalNames } from "@assay/scoring/signals.ts";
import type { CsvRecord } from "./read-csv.ts";
import { Refusal } from "./refusal.ts";

const labelColumn = "label";
/** Added to each line. */
export const addedColumns = ["service_score", "trust_level", "confidence"] as const;

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const booleans: Readonly<Record<string, boolean>> = { true: true, "1": true, "1.0": true, false: false, "0": false, "0.0": false };

/** The positions of the columns that are read. */
export type Columns = { count: number; places: Record<SignalName, number>; label: number | undefined };

/** The header may have any columns in any order, but each signal exactly once. */
export function parseHeader({ cells }: CsvRecord): Columns {
  const names = cells.map((cell) => cell.trim());
  const placesOf = (name: string) => names.flatMap((each, place) => (each === name ? [place] : []));
  const missing = signalNames.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    throw new Refusal(`line 1: no column ${missing.join(", ")}; leave the cells of a signal that was not observed empty`);
  }
  const twice = [...signalNames, labelColumn].find((name) => placesOf(name).length > 1);
  if (twice !== undefined) throw new Refusal(`line 1: the column ${twice} occurs twice`);
  const taken = addedColumns.find((name) => names.includes(name));
  if (taken !== undefined) throw new Refusal(`line 1: the file already has a column ${taken}, which would be added again`);
  const places = Object.fromEntries(signalNames.map((name) => [name, placesOf(name)[0]])) as Record<SignalName, number>;
  return { count: cells.length, places, label: placesOf(labelColumn)[0] };
}

/** The bounds of the contract's schema. */
const bounds = SessionData.properties as Record<string, { minimum?: number; maximum?: number; type?: string }>;

function parseNumber(text: string, name: SignalName, line: number): number {
  const value = numberPattern.test(text) ? Number(text) : Number.NaN;
  const { minimum = 0, maximum = Number.MAX_VALUE, type } = bounds[name] ?? {};
  if (Number.isNaN(value)) throw new Refusal(`line ${line}, column ${name}: it must be a number or empty`);
  if (type === "integer" && !Number.isInteger(value)) throw new Refusal(`line ${line}, column ${name}: it must be a whole number`);
  if (value < minimum || value > maximum) throw new Refusal(`line ${line}, column ${name}: it must be from ${minimum} to ${maximum}`);
  return value;
}

function parseBoolean(text: string, name: string, line: number): boolean {
  const value = booleans[text.toLowerCase()];
  if (value === undefined) throw new Refusal(`line ${line}, column ${name}: it must be true, false, 1, 0 or empty`);
  return value;
}

export function parseSignals({ cells, line }: CsvRecord, columns: Columns): Signals {
  if (cells.length !== columns.count) {
    throw new Refusal(`line ${line}: it has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, the header has ${columns.count}`);
  }
  const signals: Signals = {};
  for (const name of signalNames) {
    const text = cells[columns.places[name]]!.trim();
    if (text === "") continue;
    if (name === "return_visitor") signals[name] = parseBoolean(text, name, line);
    else signals[name] = parseNumber(text, name, line);
  }
  return signals;
}

/** Undefined when the column is missing or its cell is empty. */
export function parseLabel({ cells, line }: CsvRecord, columns: Columns): boolean | undefined {
  const text = columns.label === undefined ? "" : cells[columns.label]!.trim();
  return text === "" ? undefined : parseBoolean(text, labelColumn, line);
}
