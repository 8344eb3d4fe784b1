import type { Artefact } from "../packages/scoring/src/artefact.ts";
import { onGrid } from "../packages/scoring/src/interpolation.ts";
import { compileScore, stabilityGrid } from "./hide-signals.ts";
import type { Hiding } from "./hide-signals.ts";

/** Shrinks grid points with few sessions towards the mean of their set of signals, as if they had this many such sessions. */
const shrinkageCount = 10;
/** Sessions around a grid point from which its spread is computed. */
const neighboursMin = 300;
export const coverage = 0.9;

/** Share of unchanged levels at each grid point. */
export function agreementOnGrid(hidings: readonly Hiding[]): number[] {
  const weights = new Float64Array(stabilityGrid.count);
  const agreeing = new Float64Array(stabilityGrid.count);
  let [total, agreeingTotal] = [0, 0];
  for (const { logOdds, agrees, weight } of hidings) {
    const position = Math.min(stabilityGrid.count - 1.000001, Math.max(0, (logOdds - stabilityGrid.from) / stabilityGrid.step));
    const cell = Math.floor(position);
    for (const [at, share] of [[cell, 1 - (position - cell)], [cell + 1, position - cell]] as const) {
      weights[at] = (weights[at] as number) + share * weight;
      agreeing[at] = (agreeing[at] as number) + (agrees ? share * weight : 0);
    }
    total += weight;
    agreeingTotal += agrees ? weight : 0;
  }
  const shrinkage = (shrinkageCount * total) / hidings.length;
  return Array.from(weights, (weight, at) =>
    toThousandths(((agreeing[at] as number) + (shrinkage * agreeingTotal) / total) / (weight + shrinkage)),
  );
}

export const toThousandths = (value: number) => Math.round(value * 1000) / 1000;

/** 5th and 95th percentile of what the hidden signals add, among the sessions nearest to each grid point. */
export function spreadOnGrid(hidings: readonly Hiding[]): { low: number[]; high: number[] } {
  const sorted = hidings.toSorted((left, right) => left.logOdds - right.logOdds);
  const [low, high]: [number[], number[]] = [[], []];
  for (let index = 0; index < stabilityGrid.count; index += 1) {
    const near = nearest(sorted, stabilityGrid.from + index * stabilityGrid.step);
    near.sort((left, right) => left.full - left.logOdds - (right.full - right.logOdds));
    const total = near.reduce((sum, each) => sum + each.weight, 0);
    const at = (share: number) => {
      let sum = 0;
      const found = near.find((each) => (sum += each.weight) >= share * total) ?? near.at(-1);
      return found === undefined ? 0 : found.full - found.logOdds;
    };
    low.push(Math.min(0, at((1 - coverage) / 2)));
    high.push(Math.max(0, at((1 + coverage) / 2)));
  }
  return { low, high };
}

function nearest(sorted: readonly Hiding[], at: number): Hiding[] {
  let [start, end] = [firstFrom(sorted, at - stabilityGrid.step), firstFrom(sorted, at + stabilityGrid.step)];
  while (end - start < Math.min(neighboursMin, sorted.length)) {
    const before = start > 0 ? at - (sorted[start - 1] as Hiding).logOdds : Number.POSITIVE_INFINITY;
    const after = end < sorted.length ? (sorted[end] as Hiding).logOdds - at : Number.POSITIVE_INFINITY;
    if (before <= after) start -= 1;
    else end += 1;
  }
  return sorted.slice(start, end);
}

function firstFrom(sorted: readonly Hiding[], at: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Hiding).logOdds < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Slightly below the nominal coverage: identical sessions enter or leave together, which rounds coverage up. */
const coverageAimed = 0.885;
const widenings = 24;
const widestScale = 4;

/** Scales the spread until the interval of the shown score covers nine in ten sessions that it was not learnt on. */
export function conformSpread(
  hidings: readonly Hiding[],
  ends: { low: readonly number[]; high: readonly number[] },
  calibration: Artefact["calibration"],
): { low: number[]; high: number[] } {
  const scoreOf = compileScore(calibration);
  const [lows, highs] = [Float64Array.from(ends.low), Float64Array.from(ends.high)];
  const { from, step } = stabilityGrid;
  const total = hidings.reduce((sum, { weight }) => sum + weight, 0);
  const covered = (scale: number) => {
    let weightWithin = 0;
    for (const { logOdds, full, weight } of hidings) {
      const score = scoreOf(full);
      const low = scoreOf(logOdds + scale * onGrid(lows, from, step, logOdds));
      const high = scoreOf(logOdds + scale * onGrid(highs, from, step, logOdds));
      if (low <= score && score <= high) weightWithin += weight;
    }
    return weightWithin / total;
  };
  let [tooNarrow, wideEnough] = [0, widestScale];
  for (let turn = 0; turn < widenings; turn += 1) {
    const middle = (tooNarrow + wideEnough) / 2;
    if (covered(middle) < coverageAimed) tooNarrow = middle;
    else wideEnough = middle;
  }
  // Rounded outwards: many sessions are identical, and an end just short of them would lose them all.
  return {
    low: ends.low.map((end) => (Math.floor(end * wideEnough * 128) - 0.5) / 128),
    high: ends.high.map((end) => (Math.ceil(end * wideEnough * 128) + 0.5) / 128),
  };
}
