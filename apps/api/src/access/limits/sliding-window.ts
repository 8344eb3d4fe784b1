/**
 * One sliding window as a ring of counters. A call stays counted until the 61st bucket after its own begins: at least
 * the whole window, and at most one bucket (1/60 of it) longer. Bucket numbers are always within [oldest, oldest + 60],
 * so each has its own slot.
 */
export type SlidingWindow = {
  readonly bucketMs: number;
  readonly counts: Uint32Array;
  /** Sum of `counts`. */
  used: number;
  /** Number of the oldest bucket that counts a call; meaningless while `used` is 0. */
  oldest: number;
};

const buckets = 60;
/** The full buckets and the one being filled. */
const ringSlots = buckets + 1;

export function createSlidingWindow(windowSeconds: number): SlidingWindow {
  const bucketMs = (windowSeconds * 1000) / buckets;
  return { bucketMs, counts: new Uint32Array(ringSlots), used: 0, oldest: 0 };
}

/** Amortized O(1): `oldest` only moves forward, one step per bucket of time, and at most 61 at once. */
export function dropExpired(window: SlidingWindow, nowMs: number): void {
  if (window.used === 0) return;
  const bucket = Math.floor(nowMs / window.bucketMs);
  if (window.oldest + ringSlots > bucket) return;
  const { counts } = window;
  let { used, oldest } = window;
  while (used > 0) {
    const slot = oldest % ringSlots;
    const count = counts[slot] ?? 0;
    if (count > 0) {
      if (oldest + ringSlots > bucket) break;
      used -= count;
      counts[slot] = 0;
    }
    oldest += 1;
  }
  window.used = used;
  window.oldest = oldest;
}

/** Call `dropExpired` first. */
export function countCalls(window: SlidingWindow, count: number, nowMs: number): void {
  const bucket = Math.floor(nowMs / window.bucketMs);
  const slot = bucket % ringSlots;
  if (window.used === 0) window.oldest = bucket;
  window.counts[slot] = (window.counts[slot] ?? 0) + count;
  window.used += count;
}

/**
 * Milliseconds until the oldest calls leave; at the limit, until enough have left for one call to pass (more than the
 * oldest bucket if the limit was lowered meanwhile). 0 when nothing is counted.
 */
export function resetMs(window: SlidingWindow, limit: number, nowMs: number): number {
  // No call ever passes, so any value is a guess; a whole window keeps a caller from retrying in a loop.
  if (limit < 1) return window.bucketMs * buckets;
  if (window.used === 0) return 0;
  let bucket = window.oldest;
  let left = window.used - (window.counts[bucket % ringSlots] ?? 0);
  while (left >= limit) {
    bucket += 1;
    left -= window.counts[bucket % ringSlots] ?? 0;
  }
  return (bucket + ringSlots) * window.bucketMs - nowMs;
}
