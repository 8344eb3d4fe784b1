import { createHash } from "node:crypto";
import type { Task } from "../read-sessions.ts";

/** A session of an original, in the signals of the training file. */
export type PreparedSession = {
  rowId: string;
  userEngagement: number | undefined;
  sessionDurationSeconds: number;
  interactionCount: number | undefined;
  pageViews: number;
  isReturning: boolean | undefined;
  label: 0 | 1;
  task: Task;
  source: string;
};

/** What became of one original. Notices are facts that the reader should know and that stop nothing. */
export type PreparedSource = { sessions: PreparedSession[]; notices: string[] };

const rowIdDigits = 16;

/** Depends only on what identifies the row in its original, so that a session keeps its place in every split. */
export function rowIdOf(source: string, identity: string): string {
  return createHash("sha256").update(`${source}\n${identity}`).digest("hex").slice(0, rowIdDigits);
}

/** Rounds halves to the even neighbour after scaling, as the training file was written. */
export function roundTo(value: number, digits: number): number {
  const scale = 10 ** digits;
  const scaled = value * scale;
  const down = Math.floor(scaled);
  const rest = scaled - down;
  const isUp = rest > 0.5 || (rest === 0.5 && down % 2 === 1);
  return (isUp ? down + 1 : down) / scale;
}

/** "1 session" or "3 sessions", with the first line, or nothing. */
export function noticeOf(lines: readonly number[], what: string): string[] {
  if (lines.length === 0) return [];
  return [`${lines.length} ${lines.length === 1 ? "session" : "sessions"} (the first in line ${lines[0]}): ${what}`];
}
