import type { Artefact, Certainty } from "../packages/scoring/src/artefact.ts";
import { compileCertainty, requiredBits } from "../packages/scoring/src/certainty.ts";
import { bitOf, compileTerms } from "../packages/scoring/src/evaluate-terms.ts";
import { compileGate } from "../packages/scoring/src/plausibility-gate.ts";
import { shown } from "../packages/scoring/src/points.ts";
import { compileScale } from "../packages/scoring/src/scale.ts";
import type { Scale } from "../packages/scoring/src/scale.ts";
import { compileSubsetSum, everythingBits, learntBits, learntSignals } from "../packages/scoring/src/stability.ts";
import { trustLevelOf } from "../packages/scoring/src/trust-level.ts";
import type { TrustLevel } from "../packages/scoring/src/trust-level.ts";
import { certaintyGrid, hidingWeight, subsetsOf } from "./hide-signals.ts";
import type { Hiding } from "./hide-signals.ts";
import { fitIsotonic } from "./isotonic.ts";
import type { WeightedPoint } from "./isotonic.ts";
import { hashText } from "./random.ts";
import type { Session } from "./read-sessions.ts";
import { quantileLevels, quantilesOnGrid } from "./certainty-tables.ts";

/** What a fit on one sample of sessions gives: all that makes a score. */
export type Fit = Pick<Artefact, "curves" | "pairs" | "gate" | "calibration">;

/** What a fit would answer for a session with all its signals. */
export function compileScore({ gate, ...fit }: Fit): (session: Session) => number {
  const openScoreOf = compileOpenScore(fit);
  const { openness } = compileGate(gate);
  return (session) => shown(openness(session.signals) * openScoreOf(session));
}

/** The score before the gate, which affects too few people to matter for what is learnt here. */
function compileOpenScore({ curves, pairs, calibration }: Omit<Fit, "gate">): (session: Session) => number {
  const evaluate = compileTerms({ curves, pairs });
  const scale = compileScale(calibration);
  return ({ signals }) => {
    const { seen, sum } = evaluate(signals);
    return scale.scoreAt(seen, sum);
  };
}

/** Higher, and more sessions at a threshold would be certain; lower, and certain calls without a signal would not be. */
const boundedMax = 0.92;

type Sets = Record<string, number[][]>;

/** A complete session, with what each other fit makes of it. */
type Compared = { session: Session; whole: number; sums: Float64Array; full: number[]; levels: TrustLevel[] };

/**
 * Learns where the log-odds of a session would lie with all its signals and by a fit on another sample: the tables on one
 * half of the sessions, their correction on the other.
 */
export function learnCertainty(sessions: readonly Session[], shipped: Fit, refits: readonly Fit[]): Certainty {
  const compared = compare(fromCompleteSources(sessions), shipped, refits);
  const half = (parity: number) => compared.filter(({ session }) => hashText(`stability ${session.rowId}`) % 2 === parity);
  const scale = compileScale(shipped.calibration);
  const sets: Sets = {};
  for (const [seen, hidings] of hide(half(0)).entries()) {
    if (hidings.length > 0) sets[seen] = quantilesOnGrid(hidings);
  }
  addScroll(sets, shipped);
  const identity = { raw: [0, 1], shown: [0, 1] };
  const certainty = compileCertainty({
    tables: { ...certaintyGrid, levels: quantileLevels, sets, confidence: identity, boundedMax },
    scale,
    sumOver: compileSubsetSum(shipped.pairs),
  });
  const points = half(1).flatMap((each) => pointsOf(each, certainty.ownConfidence, scale));
  return { ...certaintyGrid, levels: quantileLevels, sets, confidence: fitIsotonic(points), boundedMax };
}

function compare(sessions: readonly Session[], shipped: Fit, refits: readonly Fit[]): Compared[] {
  const evaluate = compileTerms(shipped);
  const sumOver = compileSubsetSum(shipped.pairs);
  const scale = compileScale(shipped.calibration);
  const gate = compileGate(shipped.gate);
  const others = refits.map(compileOpenScore);
  const { from, step, count } = certaintyGrid;
  const [least, most] = [from, from + step * (count - 1)];
  return sessions
    .filter(({ signals }) => gate.openness(signals) === 1)
    .map((session) => {
      const terms = evaluate(session.signals);
      const whole = terms.seen & learntBits;
      const sums = new Float64Array(learntBits + 1);
      for (const seen of subsetsOf(whole)) sums[seen] = sumOver(terms, seen);
      const scores = others.map((scoreOf) => scoreOf(session));
      return {
        session,
        whole,
        sums,
        full: scores.map((score) => Math.min(most, Math.max(least, scale.logOddsFor(score)))),
        levels: scores.map((score) => trustLevelOf(shown(score))),
      };
    });
}

/** Every session with every set of its learnt signals hidden, none included, grouped by the signals that remain. */
function hide(compared: readonly Compared[]): Hiding[][] {
  const bySeen: Hiding[][] = Array.from({ length: learntBits + 1 }, () => []);
  for (const { whole, sums, full } of compared) {
    for (const seen of subsetsOf(whole)) {
      const weight = hidingWeight(whole, seen) / full.length;
      for (const each of full) bySeen[seen]?.push({ seen, logOdds: sums[seen] as number, full: each, weight });
    }
  }
  return bySeen;
}

const best = new Float64Array(learntBits + 1);

/** For every set of signals what the evaluator would say before the isotonic map, and how often the level stays. */
function pointsOf(
  { whole, sums, levels }: Compared,
  ownConfidence: (subset: number, logOdds: number, openness: number) => number,
  scale: Scale,
): WeightedPoint[] {
  const points: WeightedPoint[] = [];
  for (const seen of subsetsOf(whole)) {
    const logOdds = sums[seen] as number;
    best[seen] = ownConfidence(seen, logOdds, 1);
    for (const name of learntSignals) {
      const bit = bitOf(name);
      if ((seen & bit & ~requiredBits) !== 0) best[seen] = Math.max(best[seen], best[seen & ~bit] as number);
    }
    const level = trustLevelOf(shown(scale.scoreAt(seen, logOdds)));
    const same = levels.filter((each) => each === level).length / levels.length;
    points.push({ x: best[seen], y: same, weight: hidingWeight(whole, seen) });
  }
  return points;
}

/**
 * Sessions of the sources that observe all four learnt signals. In other sources, hiding signals cannot show
 * what the missing signal would change, and confidence would be too high.
 */
export function fromCompleteSources(sessions: readonly Session[]): Session[] {
  const seenBySource = new Map<string, number>();
  for (const { source, signals } of sessions) {
    let seen = seenBySource.get(source) ?? 0;
    for (const name of learntSignals) if (signals[name] !== undefined) seen |= bitOf(name);
    seenBySource.set(source, seen);
  }
  return sessions.filter(({ source }) => seenBySource.get(source) === learntBits);
}

/**
 * No source has scroll depth. With it seen, what was learnt without it holds; without it, its prior widens the
 * distribution: both variances add up.
 */
function addScroll(sets: Sets, { curves }: Fit): void {
  const whole = sets[learntBits];
  if (whole === undefined) return;
  const { values } = curves.scroll_depth;
  const half = ((values.at(-1) as number) - (values[0] as number)) / 2;
  sets[everythingBits] = whole;
  sets[learntBits] = whole.map((quantiles) => {
    const middle = quantiles[Math.floor(quantiles.length / 2)] as number;
    return quantiles.map((quantile, index) => {
      const own = quantile - middle;
      const added = Math.sqrt(own ** 2 + (half * (2 * (quantileLevels[index] as number) - 1)) ** 2);
      return Math.round((middle + Math.sign(own) * added) * 256) / 256;
    });
  });
}
