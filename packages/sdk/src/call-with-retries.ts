import { AssayError } from "./assay-error.ts";
import { attemptCall, type CallRequest, type Fetch, type RawAnswer } from "./attempt-call.ts";
import { waitMsBefore } from "./retry-rules.ts";

export type Clock = {
  nowMs: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
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

/** Says how often the call was tried, and the key under which it may be asked for again. */
function complete(error: AssayError, attempts: number, request: CallRequest): AssayError {
  const { code, status, requestId, isRetryable, retryAfterSeconds } = error;
  const idempotencyKey = request.headers["idempotency-key"];
  const fields = { code, status, requestId, isRetryable, retryAfterSeconds, attempts, idempotencyKey };
  return new AssayError(error.message, fields, { cause: error.cause ?? undefined });
}

/**
 * Makes the call until it is answered for good. Every attempt is the same request with the same idempotency key. Ends
 * with the last failure when attempts or time are used up, also when the wait that is due would outlast the time.
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
      if (!error.isRetryable || attempt >= attemptsMax || isOutOfTime) throw complete(error, attempt, request);
      await clock.wait(waitMs, signal);
    }
  }
}
