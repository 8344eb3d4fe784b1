import { msPerDay, msPerHour, startOfDay, startOfHour } from "../../formats/time.ts";

export type Span = { fromMs: number; toMs: number };

const hourAfter = (atMs: number) => startOfHour(atMs) + msPerHour;

/** Today so far, and yesterday up to the end of the same hour. Whole hours in UTC, as everything is counted. */
export function todayAndYesterday(nowMs: number): { present: Span; previous: Span } {
  const fromMs = startOfDay(nowMs);
  const toMs = hourAfter(nowMs);
  return { present: { fromMs, toMs }, previous: { fromMs: fromMs - msPerDay, toMs: toMs - msPerDay } };
}

/** This month so far, and the one before up to the same day and hour, or its end where it is shorter. */
export function monthAndLastMonth(nowMs: number): { present: Span; previous: Span } {
  const now = new Date(nowMs);
  const fromMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const previousFromMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1);
  const toMs = hourAfter(nowMs);
  return {
    present: { fromMs, toMs },
    previous: { fromMs: previousFromMs, toMs: Math.min(fromMs, previousFromMs + (toMs - fromMs)) },
  };
}
