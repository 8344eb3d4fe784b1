import type { Artefact } from "../packages/scoring/src/artefact.ts";
import { bitOf, compileTerms, signalCount } from "../packages/scoring/src/evaluate-terms.ts";
import { onGrid } from "../packages/scoring/src/interpolation.ts";
import { compileSubsetSum, learntBits, learntSignals } from "../packages/scoring/src/stability.ts";
import { trustLevelOf } from "../packages/scoring/src/trust-level.ts";
import type { TrustLevel } from "../packages/scoring/src/trust-level.ts";
import type { Terms } from "./fit-terms.ts";
import type { Session } from "./read-sessions.ts";

export type CalibratedTerms = Terms & Pick<Artefact, "calibration">;

/** Log-odds at which agreement and spread are tabulated. */
export const stabilityGrid = { from: -7, step: 0.25, count: 57 } as const;

export const hideProbability: Readonly<Record<(typeof learntSignals)[number], number>> = {
  user_engagement: 0.08,
  session_duration: 0.08,
  interaction_count: 0.5,
  page_views: 0.5,
};

/** One session with some signals hidden, compared with the complete session. */
export type Hiding = {
  /** Bits of the signals that remain. */
  seen: number;
  logOdds: number;
  /** Log-odds with nothing hidden. */
  full: number;
  /** Whether the level is the same as with nothing hidden. */
  agrees: boolean;
  weight: number;
  /** Input of the isotonic map, as in the evaluator: the best agreement over all subsets of `seen`. */
  raw: number;
};

/** Every session with every non-empty set of its learnt signals hidden, grouped by the signals that remain. */
export function hideEverySubset(
  sessions: readonly Session[],
  model: CalibratedTerms,
  agreement: Artefact["stability"]["agreement"] = {},
): Hiding[][] {
  const tables = Array.from({ length: 1 << signalCount }, (_, seen) => Float64Array.from(agreement[seen] ?? [0]));
  const rawOf = new Float64Array(1 << signalCount);
  const evaluate = compileTerms(model);
  const sumOver = compileSubsetSum(model.pairs);
  const levelOf = compileLevel(model.calibration);
  const bySeen: Hiding[][] = Array.from({ length: 1 << signalCount }, () => []);
  for (const session of sessions) {
    const terms = evaluate(session.signals);
    const whole = terms.seen & learntBits;
    const full = sumOver(terms, whole);
    const fullLevel = levelOf(full);
    // Ascending, so that the best of every smaller set is known before it is needed.
    for (const seen of subsetsOf(whole).toReversed()) {
      const logOdds = sumOver(terms, seen);
      let raw = onGrid(tables[seen] as Float64Array, stabilityGrid.from, stabilityGrid.step, logOdds);
      for (let bit = 1; bit <= seen; bit <<= 1) {
        if ((seen & bit) !== 0) raw = Math.max(raw, rawOf[seen & ~bit] as number);
      }
      rawOf[seen] = raw;
      if (seen === whole) continue;
      const agrees = levelOf(logOdds) === fullLevel;
      bySeen[seen]?.push({ seen, logOdds, full, agrees, weight: hidingWeight(whole, seen), raw });
    }
  }
  return bySeen;
}

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

export function subsetsOf(bits: number): number[] {
  const subsets: number[] = [];
  for (let subset = bits; ; subset = (subset - 1) & bits) {
    subsets.push(subset);
    if (subset === 0) return subsets;
  }
}

/** The score as shown, without the gate, which affects too few people to matter for confidence. */
export function compileScore({ human, engaged, from, step }: Artefact["calibration"]): (logOdds: number) => number {
  const blend = Float64Array.from(human, (probability, index) => 50 * (probability + (engaged[index] ?? 0)));
  return (logOdds) => Math.round(onGrid(blend, from, step, logOdds) * 10) / 10;
}

export function compileLevel(calibration: Artefact["calibration"]): (logOdds: number) => TrustLevel {
  const scoreOf = compileScore(calibration);
  return (logOdds) => trustLevelOf(scoreOf(logOdds));
}
