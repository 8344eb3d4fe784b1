import { explain } from "../../failure/failure.ts";
import type { LimiterLog } from "./limiter.ts";

type FallbackMode = "redis" | "fallback";

export type FallbackSwitch = {
  mode(): FallbackMode;
  /** Reports that Redis has failed a call. Of many concurrent reports only the first has an effect. */
  fail(error: unknown): void;
  close(): void;
};

const probeWaitMsMin = 100;
const probeWaitMsMax = 2_000;
/** The back-off is reset after Redis has been healthy for this long; an earlier relapse keeps the longer wait. */
const steadyMs = 10_000;

/** A circuit breaker between Redis and local counting, so that calls do not wait for a Redis that is known to fail. */
export function createFallbackSwitch(options: {
  /** Resolves when Redis reads, writes and runs the script again. */
  probe: () => Promise<unknown>;
  nowMs: () => number;
  log: LimiterLog;
  /** Which server it is, where there are several. */
  place: () => string | undefined;
  onModeChange: (mode: FallbackMode) => void;
}): FallbackSwitch {
  let mode: FallbackMode = "redis";
  let probeWaitMs = probeWaitMsMin;
  let healedAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const named = (): { shard?: string } => {
    const shard = options.place();
    return shard === undefined ? {} : { shard };
  };

  const probeLater = (): void => {
    timer = setTimeout(() => void probeOnce(), probeWaitMs);
    timer.unref();
    probeWaitMs = Math.min(probeWaitMsMax, probeWaitMs * 2);
  };

  const probeOnce = async (): Promise<void> => {
    const healthy = await options.probe().then(
      () => true,
      () => false,
    );
    if (closed) return;
    if (!healthy) {
      probeLater();
      return;
    }
    mode = "redis";
    healedAtMs = options.nowMs();
    options.onModeChange(mode);
    options.log.info({ limiterMode: mode, ...named() }, "Redis is reachable again: limits are shared between nodes");
  };

  const fail = (error: unknown): void => {
    if (closed || mode === "fallback") return;
    mode = "fallback";
    if (options.nowMs() - healedAtMs > steadyMs) probeWaitMs = probeWaitMsMin;
    options.onModeChange(mode);
    // Only the text: the error object of a command carries its arguments, and those name the account.
    const reason = explain(error);
    options.log.warn({ limiterMode: mode, reason, ...named() }, "Redis is unreachable: this node counts limits by itself");
    probeLater();
  };

  const close = (): void => {
    closed = true;
    clearTimeout(timer);
  };

  return { mode: () => mode, fail, close };
}
