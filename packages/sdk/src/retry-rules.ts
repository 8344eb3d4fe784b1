// When to try again, and after how long: no clock and no chance of their own.

const retryableStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Only a 409 that says "under way" goes away by itself; the other one says that the key was used for another call. */
export const isRetryableAnswer = (status: number, code: string): boolean =>
  retryableStatuses.has(status) || (status === 409 && code === "idempotency_in_progress");

export type Backoff = {
  /** What the first wait may last at most; it doubles with each further one. */
  firstMsMax: number;
  /** What any wait may last at most, the service's own wish aside. */
  eachMsMax: number;
};

export const defaultBackoff: Backoff = { firstMsMax: 250, eachMsMax: 8_000 };

/**
 * Exponential backoff with full jitter: anything from nothing to the bound, so that clients which failed together do
 * not come back together. Where the service named a wait it is kept in full, and the jitter comes on top.
 */
export function waitMsBefore(
  retry: { number: number; retryAfterSeconds: number | undefined; chance: number },
  backoff: Backoff = defaultBackoff,
): number {
  const msMax = Math.min(backoff.eachMsMax, backoff.firstMsMax * 2 ** (retry.number - 1));
  return (retry.retryAfterSeconds ?? 0) * 1_000 + Math.floor(retry.chance * msMax);
}

/** Seconds from the body's `retry_after` or the header; undefined when neither says a sensible number. */
export function parseRetryAfter(body: unknown, header: string | null): number | undefined {
  const said = typeof body === "object" && body !== null ? (body as { retry_after?: unknown }).retry_after : undefined;
  const seconds = typeof said === "number" ? said : header !== null && /^\d{1,9}$/.test(header) ? Number(header) : Number.NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
