import { burstSeconds, hourSeconds, type Limiter, type LimitOutcome, type Quota, refuse, type WindowCounts, windowState } from "./limiter.ts";
import { countCalls, createSlidingWindow, dropExpired, resetMs, type SlidingWindow } from "./sliding-window.ts";

export type MemoryLimiter = Omit<Limiter, "consume" | "peek"> & {
  consume(subject: string, quota: Quota): LimitOutcome;
  peek(subject: string, quota: Quota): WindowCounts;
  /** Counts calls that Redis has granted, whatever the limits. */
  record(subject: string, count: number): void;
  subjectCount(): number;
  nowMs(): number;
};

type SubjectWindows = { hour: SlidingWindow; burst: SlidingWindow };

/** The sweep visits a few subjects per call, so that it never delays one caller. */
const sweptPerCallMax = 4;
const sweepEveryMs = 60_000;

/**
 * Takes under 2 KiB per subject that called within the last 61 minutes. A sweep that runs as part of the calls evicts
 * the others, so no timer is needed. Where subjects are accounts, their number is bounded by itself.
 *
 * @param options.nowMs a clock that never steps back, such as `performance.now`
 * @param options.subjectsMax beyond it the subject that was first seen is forgotten
 */
export function createMemoryLimiter(options: { nowMs: () => number; subjectsMax?: number }): MemoryLimiter {
  const { subjectsMax = Number.POSITIVE_INFINITY } = options;
  const subjects = new Map<string, SubjectWindows>();
  let sweep = subjects.entries();
  let sweepLeft = 0;
  let sweptAtMs = Number.NEGATIVE_INFINITY;

  /** Whole milliseconds: dividing a fraction could round up into a bucket that has not begun. */
  const nowMs = (): number => Math.floor(options.nowMs());

  const evictSomeIdle = (now: number): void => {
    for (let visited = 0; visited < sweptPerCallMax && sweepLeft > 0; visited += 1) {
      const next = sweep.next();
      if (next.done) {
        sweepLeft = 0;
        return;
      }
      sweepLeft -= 1;
      const [subject, windows] = next.value;
      dropExpired(windows.hour, now);
      // Calls that have left the hour have also left the minute.
      if (windows.hour.used === 0) subjects.delete(subject);
    }
  };

  const windowsOf = (subject: string, now: number): SubjectWindows => {
    if (sweepLeft > 0) {
      evictSomeIdle(now);
    } else if (now - sweptAtMs >= sweepEveryMs) {
      sweptAtMs = now;
      sweep = subjects.entries();
      sweepLeft = subjects.size;
    }
    let windows = subjects.get(subject);
    if (windows === undefined) {
      if (subjects.size >= subjectsMax) subjects.delete(subjects.keys().next().value!);
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

  const peek = (subject: string, quota: Quota): WindowCounts => {
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

  return { consume, peek, record, nowMs, close, mode: () => "memory", subjectCount: () => subjects.size };
}
