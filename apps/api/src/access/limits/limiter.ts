/** Whole calls per window. A limit under 1 lets nothing pass. */
export type Quota = { perHour: number; perMinute: number };

/**
 * `resetSeconds`: when the oldest counted call leaves, so that some quota comes back. With `remaining` 0 it is
 * the time until one call passes in this window; with nothing counted it is 0, as nothing is due back.
 */
export type WindowState = { remaining: number; resetSeconds: number };

export type LimitOutcome =
  | { allowed: true; hour: WindowState; burst: WindowState }
  | {
      allowed: false;
      /** The window that keeps the caller waiting longest. */
      limit: "burst" | "hour";
      retryAfterSeconds: number;
      hour: WindowState;
      burst: WindowState;
    };

/** What is counted in a window, and the milliseconds until some of it leaves. */
export type WindowCount = { used: number; resetMs: number };
export type WindowCounts = { hour: WindowCount; burst: WindowCount };

/** "fallback": Redis is configured but out of reach, so this node counts by itself. */
export type LimiterMode = "memory" | "redis" | "fallback";

export type Limiter = {
  /** Synchronous in memory, so that the hot path needs no promise there. */
  consume(subject: string, quota: Quota): LimitOutcome | Promise<LimitOutcome>;
  /** What is counted now, consuming nothing. */
  look(subject: string, quota: Quota): WindowCounts | Promise<WindowCounts>;
  mode(): LimiterMode;
  close(): Promise<void>;
};

export type LimiterLog = {
  info(obj: object, msg: string): void;
  warn(obj: object, msg: string): void;
};

export const hourSeconds = 3600;
export const burstSeconds = 60;
