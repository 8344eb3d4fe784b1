import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Signals } from "../packages/scoring/src/signals.ts";

export const tasks = ["human", "engaged"] as const;
export type Task = (typeof tasks)[number];

/** One labelled session of a public source. */
export type Session = {
  rowId: string;
  signals: Signals;
  label: 0 | 1;
  task: Task;
  source: string;
};

export type SessionFile = { name: string; sha256: string; sessions: Session[] };

const columns = [
  "row_id",
  "user_engagement",
  "session_duration",
  "scroll_depth",
  "interaction_count",
  "page_views",
  "return_visitor",
  "label",
  "task",
  "source",
] as const;

/** Reads a CSV file of labelled sessions. Errors name the file and the line. */
export function readSessionFile(folder: string, name: string): SessionFile {
  const path = join(folder, name);
  if (!existsSync(path)) throw new Error(`${name} is not in the data folder ${folder}`);
  const bytes = readFileSync(path);
  return {
    name,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    sessions: parseSessions(bytes.toString("utf8"), name),
  };
}

/** For a file that not everybody has: without it, nothing is measured on its sources. */
export function readOptionalSessionFile(folder: string, name: string): SessionFile {
  if (existsSync(join(folder, name))) return readSessionFile(folder, name);
  return { name: `${name} (absent)`, sha256: createHash("sha256").digest("hex"), sessions: [] };
}

export function parseSessions(text: string, name: string): Session[] {
  const lines = text.split(/\r?\n/);
  const header = (lines[0] ?? "").split(",");
  const columnIndex = Object.fromEntries(columns.map((column) => [column, header.indexOf(column)]));
  const absent = columns.filter((column) => columnIndex[column] === -1);
  if (absent.length > 0) throw new Error(`${name}: no column ${absent.join(", ")}`);
  const sessions: Session[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === "") continue;
    const cells = line.split(",");
    const cellOf = (column: (typeof columns)[number]) => cells[columnIndex[column] as number] ?? "";
    sessions.push(parseSession(cellOf, `${name}:${index + 1}`));
  }
  return sessions;
}

function parseSession(cellOf: (column: (typeof columns)[number]) => string, position: string): Session {
  const signals: Signals = {};
  const numeric = ["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"] as const;
  for (const name of numeric) {
    const value = parseNumber(cellOf(name), position);
    if (value !== undefined) signals[name] = value;
  }
  const returned = parseNumber(cellOf("return_visitor"), position);
  if (returned !== undefined) signals.return_visitor = returned === 1;
  const label = parseNumber(cellOf("label"), position);
  const task = tasks.find((known) => known === cellOf("task"));
  if ((label !== 0 && label !== 1) || task === undefined) throw new Error(`${position}: invalid label or unknown task`);
  return { rowId: cellOf("row_id"), signals, label, task, source: cellOf("source") };
}

function parseNumber(cell: string, position: string): number | undefined {
  if (cell === "") return undefined;
  const value = Number(cell);
  if (!Number.isFinite(value) || value < 0) throw new Error(`${position}: not a non-negative number: ${cell}`);
  return value;
}
