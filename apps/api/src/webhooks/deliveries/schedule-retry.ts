import { msPerHour, msPerMinute, msPerSecond } from "../../formats/time.ts";

/** Waits after the first attempt, the second and so on: ten attempts over three days. */
export const retryWaitsMs: readonly number[] = [
  5 * msPerSecond,
  msPerMinute,
  5 * msPerMinute,
  30 * msPerMinute,
  2 * msPerHour,
  6 * msPerHour,
  12 * msPerHour,
  24 * msPerHour,
  26 * msPerHour,
];
export const attemptsMax = retryWaitsMs.length + 1;
/** Waits are longer by up to this share, so that retries do not coincide. */
const jitterShare = 0.1;
/** A receiver may ask for more time than the schedule gives it, but not for more than this. */
export const retryAfterMsMax = msPerHour;

/** Receivers say with these that they cannot take more now. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

/** Retry-After in milliseconds, given in seconds or as a date; 0 if it says nothing. */
function readRetryAfter(text: string, nowMs: number): number {
  const seconds = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  const waitMs = Number.isNaN(seconds) ? Date.parse(text) - nowMs : seconds * msPerSecond;
  return Number.isFinite(waitMs) ? Math.min(Math.max(0, waitMs), retryAfterMsMax) : 0;
}

/** How long the receiver asks to be left alone. */
export const askedWaitMs = (answer: { status: number; retryAfter: string | undefined }, nowMs: number): number =>
  answer.retryAfter === undefined || !busyStatuses.has(answer.status) ? 0 : readRetryAfter(answer.retryAfter, nowMs);

/** When to try again after `attempts` failed attempts; undefined after the last one. `random` is in [0, 1). */
export function nextAttemptMs(attempts: number, { nowMs, random, askedMs = 0 }: { nowMs: number; random: number; askedMs?: number }): number | undefined {
  const waitMs = retryWaitsMs[attempts - 1];
  if (waitMs === undefined) return undefined;
  return nowMs + Math.max(Math.round(waitMs * (1 + jitterShare * random)), askedMs);
}
