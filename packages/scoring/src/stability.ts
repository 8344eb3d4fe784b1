import type { Artefact } from "./artefact.ts";
import { bitOf, signalCount } from "./evaluate-terms.ts";
import type { TermValues } from "./evaluate-terms.ts";
import { alongKnots, onGrid } from "./interpolation.ts";

/*
 * The first model's confidence: the probability that the level would stay the same if the missing signals were known. The
 * training sources contain four signals together, so it was learnt for every subset of these four by hiding
 * some of them. No source has scroll depth with them, and it adds few points: it counts only once all four are
 * present.
 */
export const learntSignals = ["user_engagement", "session_duration", "interaction_count", "page_views"] as const;

export const learntBits = learntSignals.reduce((bits, name) => bits | bitOf(name), 0);
export const everythingBits = learntBits | bitOf("scroll_depth");

export type Stability = {
  /** 0 to 1; never higher for fewer signals of the same session. `opennessOf`: the gate's, for some of its signals. */
  confidence(terms: TermValues, opennessOf: (subset: number) => number): number;
  /** Log-odds of a session with every signal, between which this one would lie nine times in ten. */
  spread(terms: TermValues): { low: number; high: number };
};

export function compileStability(stability: NonNullable<Artefact["stability"]>, sumOver: SubsetSum): Stability {
  const { from, step, agreement, confidence, spread } = stability;
  const tables = Array.from({ length: 1 << signalCount }, (_, seen) => Float64Array.from(agreement[seen] ?? [0]));
  const ends = Array.from({ length: 1 << signalCount }, (_, seen) => ({
    low: Float64Array.from(spread[seen]?.low ?? [0]),
    high: Float64Array.from(spread[seen]?.high ?? [0]),
  }));
  const raw = Float64Array.from(confidence.raw);
  const shown = Float64Array.from(confidence.shown);

  return {
    confidence(terms) {
      if ((terms.seen & everythingBits) === everythingBits) return 1;
      const seen = terms.seen & learntBits;
      // The maximum over all subsets: removing a signal leaves fewer subsets, so the maximum cannot rise.
      let best = 0;
      for (let subset = seen; ; subset = (subset - 1) & seen) {
        const value = onGrid(tables[subset] as Float64Array, from, step, sumOver(terms, subset));
        if (value > best) best = value;
        if (subset === 0) break;
      }
      return alongKnots(raw, shown, best);
    },
    spread(terms) {
      const seen = terms.seen & learntBits;
      const table = ends[seen];
      if (table === undefined || (terms.seen & everythingBits) === everythingBits) {
        return { low: terms.sum, high: terms.sum };
      }
      const at = sumOver(terms, seen);
      return {
        low: terms.sum + Math.min(0, onGrid(table.low, from, step, at)),
        high: terms.sum + Math.max(0, onGrid(table.high, from, step, at)),
      };
    },
  };
}

/** Log-odds of a session if only the signals of `subset` had been seen. */
export type SubsetSum = (terms: TermValues, subset: number) => number;

export function compileSubsetSum(pairs: Artefact["pairs"]): SubsetSum {
  const pairBits = Int32Array.from(pairs, (pair) => bitOf(pair.signals[0]) | bitOf(pair.signals[1]));
  return (terms, subset) => {
    let sum = 0;
    for (let index = 0; index < signalCount; index += 1) {
      if ((subset & (1 << index)) !== 0) sum += terms.curves[index] as number;
    }
    for (let index = 0; index < pairBits.length; index += 1) {
      const bits = pairBits[index] as number;
      if ((subset & bits) === bits) sum += terms.pairs[index] as number;
    }
    return sum;
  };
}
