/** How long a soak takes, how often it measures, and what it accepts. Growth is a share of the value at the start. */
export type SoakPlan = {
  /** Before the first measurement, code is compiled, caches fill and heaps reach their size. */
  warmUpMs: number;
  /** One measurement follows each round of load. */
  rounds: number;
  roundMs: number;
  shareOfCapacity: number;
  growthMax: { live: number; resident: number; p99: number };
};

/**
 * CI's machine is shared: the load is light, so that the other suites do not turn it into an overload. Twelve values of a
 * p99 are too noisy for a trend; there, only its level counts.
 */
export const shortPlan: SoakPlan = {
  warmUpMs: 3_000,
  rounds: 12,
  roundMs: 600,
  shareOfCapacity: 0.35,
  growthMax: { live: 0.04, resident: 0.15, p99: Number.POSITIVE_INFINITY },
};

export function longPlan(minutes: number): SoakPlan {
  const rounds = Math.max(minutes * 6, shortPlan.rounds);
  return { warmUpMs: 60_000, rounds, roundMs: (minutes * 60_000) / rounds, shareOfCapacity: 0.7, growthMax: { live: 0.1, resident: 0.1, p99: 0.25 } };
}
