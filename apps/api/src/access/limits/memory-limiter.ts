import { burstSeconds, hourSeconds } from "./limiter.ts";
import type { Limiter, LimitOutcome, Quota, WindowCounts } from "./limiter.ts";
import { refuse, windowState } from "./limit-outcome.ts";
import { countCalls, createSlidingWindow, dropExpired, resetMs } from "./sliding-window.ts";
import type { SlidingWindow } from "./sliding-window.ts";

export type MemoryLimiter = Omit<Limiter, "consume" | "look"> & {
  consume(subject: string, quota: Quota): LimitOutcome;
  look(subject: string, quota: Quota): WindowCounts;
  /** Counts calls that somebody else has granted, whatever the limits say. */
  record(subject: string, count: number): void;
  subjectCount(): number;
  nowMs(): number;
};

type SubjectWindows = { hour: SlidingWindow; burst: SlidingWindow };

/** Looking at a few subjects per call keeps the sweep from ever holding up one caller. */
const sweptPerCallMax = 4;
const sweepEveryMs = 60_000;

/**
 * Under 2 KiB per subject that called within the last 61 minutes; the others are forgotten by a sweep that
 * the calls themselves carry, so no timer runs. Subjects are accounts: their number is bounded by those.
 *
 * @param options.nowMs a clock that never steps back, such as `performance.now`
 */
export function createMemoryLimiter(options: { nowMs: () => number }): MemoryLimiter {
  const subjects = new Map<string, SubjectWindows>();
  let sweep = subjects.entries();
  let sweepLeft = 0;
  let sweptAtMs = Number.NEGATIVE_INFINITY;

  /** Whole milliseconds: dividing a fraction could round up into a bucket that has not begun. */
  const nowMs = (): number => Math.floor(options.nowMs());

  const forgetSomeIdle = (now: number): void => {
    for (let looked = 0; looked < sweptPerCallMax && sweepLeft > 0; looked += 1) {
      const next = sweep.next();
      if (next.done) {
        sweepLeft = 0;
        return;
      }
      sweepLeft -= 1;
      const [subject, windows] = next.value;
      dropExpired(windows.hour, now);
      // What the hour has forgotten, the minute has too.
      if (windows.hour.used === 0) subjects.delete(subject);
    }
  };

  const windowsOf = (subject: string, now: number): SubjectWindows => {
    if (sweepLeft > 0) {
      forgetSomeIdle(now);
    } else if (now - sweptAtMs >= sweepEveryMs) {
      sweptAtMs = now;
      sweep = subjects.entries();
      sweepLeft = subjects.size;
    }
    let windows = subjects.get(subject);
    if (windows === undefined) {
      windows = { hour: createSlidingWindow(hourSeconds), burst: createSlidingWindow(burstSeconds) };
      subjects.set(subject, windows);
    } else {
      dropExpired(windows.hour, now);
      dropExpired(windows.burst, now);
    }
    return windows;
  };

  const consume = (subject: string, quota: Quota): LimitOutcome => {
    const now = nowMs();
    const { hour, burst } = windowsOf(subject, now);
    const allowed = hour.used < quota.perHour && burst.used < quota.perMinute;
    if (allowed) {
      countCalls(hour, 1, now);
      countCalls(burst, 1, now);
    }
    const hourState = windowState(quota.perHour, hour.used, resetMs(hour, quota.perHour, now));
    const burstState = windowState(quota.perMinute, burst.used, resetMs(burst, quota.perMinute, now));
    return allowed ? { allowed, hour: hourState, burst: burstState } : refuse(hourState, burstState);
  };

  const look = (subject: string, quota: Quota): WindowCounts => {
    const now = nowMs();
    const { hour, burst } = windowsOf(subject, now);
    return {
      hour: { used: hour.used, resetMs: resetMs(hour, quota.perHour, now) },
      burst: { used: burst.used, resetMs: resetMs(burst, quota.perMinute, now) },
    };
  };

  const record = (subject: string, count: number): void => {
    if (count < 1) return;
    const now = nowMs();
    const { hour, burst } = windowsOf(subject, now);
    countCalls(hour, count, now);
    countCalls(burst, count, now);
  };

  const close = async (): Promise<void> => {
    subjects.clear();
    sweepLeft = 0;
  };

  return { consume, look, record, nowMs, close, mode: () => "memory", subjectCount: () => subjects.size };
}
