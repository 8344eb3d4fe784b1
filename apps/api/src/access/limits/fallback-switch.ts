import { explain } from "../../failure/failure.ts";
import type { LimiterLog } from "./limiter.ts";

type FallbackMode = "redis" | "fallback";

type FallbackSwitch = {
  mode(): FallbackMode;
  /** Tells that Redis has just failed a call. Many tell at once: only the first changes anything. */
  fail(error: unknown): void;
  close(): void;
};

const probeWaitMsMin = 100;
const probeWaitMsMax = 2_000;
/** Answers this long in a row mean health; a relapse before that leaves the longer wait in place. */
const steadyMs = 10_000;

/** Decides between Redis and the node's own counting, so that no call has to find out by waiting. */
export function createFallbackSwitch(options: {
  /** Resolves when Redis does the real work again: reading, writing, and running the script. */
  probe: () => Promise<unknown>;
  nowMs: () => number;
  log: LimiterLog;
  onModeChange: (mode: FallbackMode) => void;
}): FallbackSwitch {
  let mode: FallbackMode = "redis";
  let probeWaitMs = probeWaitMsMin;
  let healedAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

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
    options.log.info({ limiterMode: mode }, "Redis answers again: limits are shared between nodes");
  };

  const fail = (error: unknown): void => {
    if (closed || mode === "fallback") return;
    mode = "fallback";
    if (options.nowMs() - healedAtMs > steadyMs) probeWaitMs = probeWaitMsMin;
    options.onModeChange(mode);
    // The text alone: a command's error object also carries its arguments, and those name the account.
    const reason = explain(error);
    options.log.warn({ limiterMode: mode, reason }, "Redis is out of reach: this node limits by itself");
    probeLater();
  };

  const close = (): void => {
    closed = true;
    clearTimeout(timer);
  };

  return { mode: () => mode, fail, close };
}
