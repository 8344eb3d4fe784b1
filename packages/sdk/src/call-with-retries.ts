import { AssayError } from "./assay-error.ts";
import { attemptCall, type CallRequest, type Fetch, type RawAnswer } from "./attempt-call.ts";
import { waitMsBefore } from "./retry-rules.ts";

/** Source of time and delays. Replace it in tests. */
export type Clock = {
  /** Monotonic time in milliseconds; only differences count. */
  nowMs: () => number;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason if it is aborted first. */
  wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
};

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener("abort", onAbort, { once: true });
    }),
};

export type RetryPolicy = {
  fetch: Fetch;
  clock: Clock;
  random: () => number;
  timeoutMs: number;
  attemptsMax: number;
  totalMsMax: number;
};

/** Adds the number of attempts, and the key under which the call may be repeated. */
function addCallDetails(error: AssayError, attempts: number, request: CallRequest): AssayError {
  const { code, status, requestId, isRetryable, retryAfterSeconds } = error;
  const idempotencyKey = request.headers["idempotency-key"];
  const fields = { code, status, requestId, isRetryable, retryAfterSeconds, attempts, idempotencyKey };
  return new AssayError(error.message, fields, { cause: error.cause ?? undefined });
}

/**
 * Repeats the call until it has a final answer. Every attempt is the same request with the same idempotency key. Throws
 * the last error when the attempts or the time are used up, including when the next wait would exceed the time.
 */
export async function callWithRetries<Result>(
  request: CallRequest,
  read: (answer: RawAnswer, attempts: number) => Result,
  policy: RetryPolicy & { signal: AbortSignal | undefined },
): Promise<Result> {
  const { clock, random, attemptsMax, totalMsMax, signal } = policy;
  const startedMs = clock.nowMs();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return read(await attemptCall(request, policy), attempt);
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      const waitMs = waitMsBefore({ number: attempt, retryAfterSeconds: error.retryAfterSeconds, chance: random() });
      const isOutOfTime = clock.nowMs() - startedMs + waitMs > totalMsMax;
      if (!error.isRetryable || attempt >= attemptsMax || isOutOfTime) throw addCallDetails(error, attempt, request);
      await clock.wait(waitMs, signal);
    }
  }
}
