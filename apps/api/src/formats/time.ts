/** Units, formatting and parsing of time. Times are milliseconds since 1970, in UTC. */
import { parseIsoTime } from "@assay/contract/iso-time.ts";
import { Failure } from "../failure/failure.ts";

export const msPerSecond = 1_000;
export const msPerMinute = 60 * msPerSecond;
export const msPerHour = 60 * msPerMinute;
export const msPerDay = 24 * msPerHour;

export const startOfHour = (atMs: number): number => atMs - (atMs % msPerHour);
export const startOfDay = (atMs: number): number => atMs - (atMs % msPerDay);

/** Rounds to whole microseconds, which keeps the number short. */
export const roundMs = (ms: number): number => Math.round(ms * 1_000) / 1_000;

let lastSecond = -1;
let lastText = "";

/** ISO 8601 in UTC with milliseconds. Many calls share a second, so the text up to the second is cached. */
export function isoTime(atMs: number): string {
  const second = Math.floor(atMs / msPerSecond);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(second * msPerSecond).toISOString().slice(0, -4);
  }
  const ms = atMs - second * msPerSecond;
  return `${lastText}${ms < 10 ? "00" : ms < 100 ? "0" : ""}${ms}Z`;
}

export const isoTimeOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs));

/** Parses an ISO 8601 date or time, in UTC unless it has an offset. `name` is the field's, for the message. */
export function parseTime(text: string, name: string): number {
  const atMs = parseIsoTime(text);
  if (Number.isNaN(atMs)) throw new Failure("invalid_request", `${name} must be an ISO 8601 date or time`);
  return atMs;
}

export type Span = { fromMs: number; toMs: number };

/** Parses the span that a caller asks for and widens it to whole steps. `toMs` is exclusive. */
export function parseSpan(
  query: { from?: string | undefined; to?: string | undefined },
  bounds: { nowMs: number; daysDefault: number; daysMax: number; stepMs?: number },
): Span {
  const { nowMs, daysDefault, daysMax, stepMs = 1 } = bounds;
  const toMs = query.to === undefined ? nowMs : parseTime(query.to, "to");
  const fromMs = query.from === undefined ? toMs - daysDefault * msPerDay : parseTime(query.from, "from");
  if (fromMs > toMs) throw new Failure("invalid_request", "from must not be after to");
  if (toMs - fromMs > daysMax * msPerDay) throw new Failure("invalid_request", `from and to must be at most ${daysMax} days apart`);
  return widenSpan({ fromMs, toMs }, stepMs);
}

/** The whole hours or days that contain a span. */
export const widenSpan = ({ fromMs, toMs }: Span, stepMs: number): Span => ({
  fromMs: Math.floor(fromMs / stepMs) * stepMs,
  toMs: Math.ceil(toMs / stepMs) * stepMs,
});
