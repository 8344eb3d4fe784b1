/** Microseconds are enough, and keep the number short. */
export const roundMs = (ms: number): number => Math.round(ms * 1_000) / 1_000;
