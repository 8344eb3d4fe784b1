import type { Certainty as Tables } from "./artefact.ts";
import { bitOf, signalCount } from "./evaluate-terms.ts";
import { alongKnots } from "./interpolation.ts";
import { shownMin } from "./points.ts";
import type { Scale } from "./scale.ts";
import { everythingBits, learntBits } from "./stability.ts";
import type { Stability, SubsetSum } from "./stability.ts";
import { trustThresholds } from "./trust-level.ts";

/** Every call has these two; a file to score may lack them. */
export const requiredBits = bitOf("user_engagement") | bitOf("session_duration");

/** A call that lacks interactions or pages. */
const isIncomplete = (seen: number) => (seen & requiredBits) === requiredBits && (seen & learntBits) !== learntBits;

/** Log-odds from which a session is `medium` and `high`, if the gate leaves this share of its score. */
type Bounds = { medium: number; high: number };

type Context = {
  tables: Tables;
  scale: Scale;
  sumOver: SubsetSum;
};

export type Certainty = Stability & {
  /** The probability that the level stays, as these signals alone tell it, before the isotonic map. */
  ownConfidence(subset: number, logOdds: number, openness: number): number;
};

/**
 * Confidence is the probability that the level would stay the same if the missing signals were seen and the model had
 * been fitted on another sample of sessions: how much of the distribution of the log-odds that it would then have lies
 * within the level.
 */
export function compileCertainty({ tables, scale, sumOver }: Context): Certainty {
  const { from, step, count, confidence: map, boundedMax } = tables;
  const levels = Float64Array.from(tables.levels);
  const sets = Array.from({ length: 1 << signalCount }, (_, seen) => {
    const set = tables.sets[seen];
    return set === undefined ? undefined : Float64Array.from(set.flat());
  });
  const raw = Float64Array.from(map.raw);
  const shown = Float64Array.from(map.shown);
  const boundsFor = (openness: number): Bounds => ({
    medium: scale.logOddsFor(shownMin(trustThresholds.medium) / openness),
    high: scale.logOddsFor(shownMin(trustThresholds.high) / openness),
  });
  const openBounds = boundsFor(1);
  const quantiles = new Float64Array(levels.length);

  /** Sets `quantiles` to those of the difference at these log-odds. */
  const readQuantiles = (set: Float64Array, logOdds: number): void => {
    const position = Math.min(count - 1, Math.max(0, (logOdds - from) / step));
    const cell = Math.min(count - 2, Math.floor(position));
    const share = position - cell;
    const start = cell * levels.length;
    for (let index = 0; index < levels.length; index += 1) {
      const low = set[start + index] as number;
      quantiles[index] = low + share * ((set[start + levels.length + index] as number) - low);
    }
  };

  const ownConfidence = (subset: number, logOdds: number, openness: number): number => {
    const set = sets[subset];
    if (set === undefined) return 0;
    const { medium, high } = openness === 1 ? openBounds : boundsFor(openness);
    const score = openness * scale.scoreAt(subset, logOdds);
    readQuantiles(set, logOdds);
    if (score >= shownMin(trustThresholds.high)) return 1 - shareBelow(quantiles, levels, high - logOdds);
    const belowMedium = shareBelow(quantiles, levels, medium - logOdds);
    if (score < shownMin(trustThresholds.medium)) return belowMedium;
    return shareBelow(quantiles, levels, high - logOdds) - belowMedium;
  };

  return {
    ownConfidence,
    confidence(terms, opennessOf) {
      const required = terms.seen & requiredBits;
      const optional = terms.seen & learntBits & ~requiredBits;
      const confidenceOf = (subset: number) => {
        const openness = opennessOf(subset);
        const confidence = alongKnots(raw, shown, ownConfidence(subset, sumOver(terms, subset), openness));
        return isIncomplete(subset) || openness < 1 ? Math.min(confidence, boundedMax) : confidence;
      };
      // The maximum over all subsets: leaving out an optional signal leaves fewer subsets, so the maximum cannot rise.
      let best = 0;
      for (let subset = optional; ; subset = (subset - 1) & optional) {
        const confidence = confidenceOf(required | subset);
        if (confidence > best) best = confidence;
        if (subset === 0) break;
      }
      return (terms.seen & everythingBits) === everythingBits ? Math.max(best, confidenceOf(everythingBits)) : best;
    },
    spread(terms) {
      const isWhole = (terms.seen & everythingBits) === everythingBits;
      const seen = terms.seen & (isWhole ? everythingBits : learntBits);
      const set = sets[seen];
      if (set === undefined) return { low: terms.sum, high: terms.sum };
      readQuantiles(set, sumOver(terms, seen));
      return { low: terms.sum + (quantiles[1] as number), high: terms.sum + (quantiles[levels.length - 2] as number) };
    },
  };
}

/** Linear between the quantiles; beyond the outer ones the density stays what it is next to them until nothing is left. */
function shareBelow(quantiles: Float64Array, levels: Float64Array, x: number): number {
  const last = levels.length - 1;
  let cell = 0;
  while (cell < last - 1 && x > (quantiles[cell + 1] as number)) cell += 1;
  const [low, high] = [quantiles[cell] as number, quantiles[cell + 1] as number];
  const [lowLevel, highLevel] = [levels[cell] as number, levels[cell + 1] as number];
  // The training keeps neighbouring quantiles apart.
  const share = lowLevel + ((x - low) / (high - low)) * (highLevel - lowLevel);
  return share < 0 ? 0 : share > 1 ? 1 : share;
}
