import type { MeasureKey, Target } from "./judge.ts";

/** Of a contender's figures ÷ those of the bare echo in the same round. `p99Ms` is that at the same offered load. */
export type Targets = Partial<Record<MeasureKey | "p99Ms", Target>>;

/** The offered load, as a share of the calls per second that the contender answers at most. */
export const offeredShare = 0.7;

const p99Ms = { atMost: 1.5 };

export const targets = {
  sqlite: { perSecond: { atLeast: 0.75 }, mainUs: { atMost: 1.1 }, allUs: { atMost: 1.7 }, p99Ms },
  sqliteWithKeys: { perSecond: { atLeast: 0.6 }, mainUs: { atMost: 1.25 }, allUs: { atMost: 2.1 }, p99Ms },
  ads: { perSecond: { atLeast: 0.45 }, mainUs: { atMost: 1.5 }, allUs: { atMost: 2.3 }, p99Ms },
  postgres: { perSecond: { atLeast: 0.48 }, p99Ms },
  postgresWithKeys: { p99Ms },
} satisfies Record<string, Targets>;
