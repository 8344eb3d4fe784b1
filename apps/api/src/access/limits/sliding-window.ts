/**
 * One sliding window as a ring of counters. A call stays counted until the 61st bucket after its own begins:
 * at least the whole window, and at most one bucket (1/60 of it) longer. Bucket numbers only ever lie within
 * [oldest, oldest + 60], so each has a slot to itself.
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

/** Amortised O(1): `oldest` only moves forward, one step per bucket of time, and never over 61 at once. */
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

/** The window must be free of expired calls: see `dropExpired`. */
export function countCalls(window: SlidingWindow, count: number, nowMs: number): void {
  const bucket = Math.floor(nowMs / window.bucketMs);
  const slot = bucket % ringSlots;
  if (window.used === 0) window.oldest = bucket;
  window.counts[slot] = (window.counts[slot] ?? 0) + count;
  window.used += count;
}

/**
 * Milliseconds until the oldest calls leave; where the limit is reached, until enough have left for one to
 * pass (more than the oldest bucket, when the limit was lowered meanwhile). 0 when nothing is counted.
 */
export function resetMs(window: SlidingWindow, limit: number, nowMs: number): number {
  // Nothing ever passes: any answer is a guess, and a whole window keeps a caller from hammering.
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
