/** Whole calls per window. A limit under 1 refuses every call. */
export type Quota = { perHour: number; perMinute: number };

/**
 * `resetSeconds` is the time until the oldest counted call leaves the window. If `remaining` is 0, it is the time until
 * one call is allowed in this window. It is 0 if nothing is counted.
 */
export type WindowState = { remaining: number; resetSeconds: number };

export type LimitOutcome =
  | { allowed: true; hour: WindowState; burst: WindowState }
  | {
      allowed: false;
      /** The window with the longer wait. */
      limit: "burst" | "hour";
      retryAfterSeconds: number;
      hour: WindowState;
      burst: WindowState;
    };

/** The calls counted in a window, and the milliseconds until some of them leave. */
export type WindowCount = { used: number; resetMs: number };
export type WindowCounts = { hour: WindowCount; burst: WindowCount };

/** "fallback": Redis is configured but unreachable, so this node counts by itself. */
export type LimiterMode = "memory" | "redis" | "fallback";

export type Limiter = {
  /** Synchronous in memory, so that the hot path needs no promise there. */
  consume(subject: string, quota: Quota): LimitOutcome | Promise<LimitOutcome>;
  /** The current counts; consumes nothing. */
  peek(subject: string, quota: Quota): WindowCounts | Promise<WindowCounts>;
  mode(): LimiterMode;
  close(): Promise<void>;
};

export type LimiterLog = {
  info(obj: object, msg: string): void;
  warn(obj: object, msg: string): void;
};

export const hourSeconds = 3600;
export const burstSeconds = 60;

export function windowState(limit: number, used: number, resetMs: number): WindowState {
  return { remaining: Math.max(0, limit - used), resetSeconds: Math.ceil(resetMs / 1000) };
}

/** A window that has room keeps it until the next call, so the longer of the two waits is the right one. */
export function refuse(hour: WindowState, burst: WindowState): LimitOutcome {
  const hourWaitSeconds = hour.remaining === 0 ? hour.resetSeconds : 0;
  const burstWaitSeconds = burst.remaining === 0 ? burst.resetSeconds : 0;
  return {
    allowed: false,
    limit: hourWaitSeconds > burstWaitSeconds ? "hour" : "burst",
    retryAfterSeconds: Math.max(1, hourWaitSeconds, burstWaitSeconds),
    hour,
    burst,
  };
}
