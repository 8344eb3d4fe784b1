import { bitOf } from "../packages/scoring/src/evaluate-terms.ts";
import { learntSignals } from "../packages/scoring/src/stability.ts";

/** Log-odds at which certainty is tabulated. */
export const certaintyGrid = { from: -7, step: 0.5, count: 29 } as const;

export const hideProbability: Readonly<Record<(typeof learntSignals)[number], number>> = {
  user_engagement: 0.08,
  session_duration: 0.08,
  interaction_count: 0.5,
  page_views: 0.5,
};

/** One session with some signals hidden, compared with the complete session as another fit would score it. */
export type Hiding = {
  /** Bits of the signals that remain. */
  seen: number;
  logOdds: number;
  /** Log-odds with which this model would give the complete session the score of the other fit. */
  full: number;
  weight: number;
};

/**
 * Probability that exactly these signals are missing. The API requires engagement and duration, so they are
 * hidden less often than the two optional ones.
 */
export function hidingWeight(whole: number, seen: number): number {
  let weight = 1;
  for (const name of learntSignals) {
    const bit = bitOf(name);
    if ((whole & bit) === 0) continue;
    weight *= (seen & bit) === 0 ? hideProbability[name] : 1 - hideProbability[name];
  }
  return weight;
}

/** From the empty set to all. */
export function subsetsOf(bits: number): number[] {
  const subsets: number[] = [];
  for (let subset = 0; subset <= bits; subset += 1) if ((subset & bits) === subset) subsets.push(subset);
  return subsets;
}
