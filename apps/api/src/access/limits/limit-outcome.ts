import type { LimitOutcome, WindowState } from "./limiter.ts";

export function windowState(limit: number, used: number, resetMs: number): WindowState {
  return { remaining: Math.max(0, limit - used), resetSeconds: Math.ceil(resetMs / 1000) };
}

/** Once a window has room it keeps it while nobody calls, so the longer of the two waits is the true one. */
export function refuse(hour: WindowState, burst: WindowState): LimitOutcome {
  const hourSeconds = hour.remaining === 0 ? hour.resetSeconds : 0;
  const burstSeconds = burst.remaining === 0 ? burst.resetSeconds : 0;
  return {
    allowed: false,
    limit: hourSeconds > burstSeconds ? "hour" : "burst",
    retryAfterSeconds: Math.max(1, hourSeconds, burstSeconds),
    hour,
    burst,
  };
}
