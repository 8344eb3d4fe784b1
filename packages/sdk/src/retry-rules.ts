// Pure functions that decide whether to retry, and after how long.

const retryableStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** A 409 is retryable only while the first call is in progress. The others: the key belongs to another call, or the token was used. */
export const isRetryableAnswer = (status: number, code: string): boolean =>
  retryableStatuses.has(status) || (status === 409 && code === "idempotency_in_progress");

export type Backoff = {
  /** Upper bound of the first wait; it doubles with each retry. */
  firstMsMax: number;
  /** Upper bound of every wait, not counting what the service asks for. */
  eachMsMax: number;
};

export const defaultBackoff: Backoff = { firstMsMax: 250, eachMsMax: 8_000 };

/**
 * Exponential back-off with full jitter: a random wait from 0 to the bound, so that clients that failed together do not
 * retry together. If the service named a wait, it is respected in full and the jitter is added.
 */
export function waitMsBefore(
  retry: { number: number; retryAfterSeconds: number | undefined; chance: number },
  backoff: Backoff = defaultBackoff,
): number {
  const msMax = Math.min(backoff.eachMsMax, backoff.firstMsMax * 2 ** (retry.number - 1));
  return (retry.retryAfterSeconds ?? 0) * 1_000 + Math.floor(retry.chance * msMax);
}

/** Seconds from the body's `retry_after` or the header; undefined if neither has a valid number. */
export function parseRetryAfter(body: unknown, header: string | null): number | undefined {
  const inBody = typeof body === "object" && body !== null ? (body as { retry_after?: unknown }).retry_after : undefined;
  const seconds = typeof inBody === "number" ? inBody : header !== null && /^\d{1,9}$/.test(header) ? Number(header) : Number.NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
