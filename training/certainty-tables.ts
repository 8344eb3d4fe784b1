import { certaintyGrid } from "./hide-signals.ts";
import type { Hiding } from "./hide-signals.ts";

/**
 * The second from each end are those of the interval. They leave a little more than one in ten outside, because
 * identical sessions enter or leave together, which rounds coverage up.
 */
export const quantileLevels = [0.01, 0.065, 0.15, 0.3, 0.5, 0.7, 0.85, 0.935, 0.99] as const;
/** Hidings around a grid point from which its quantiles are computed. */
const neighboursMin = 1_000;
/** Neighbouring quantiles are at least this far apart: no difference is certain to the last digit. */
const gapMin = 1 / 64;

/** Quantiles, at each grid point, of what the complete session's log-odds differ by. */
export function quantilesOnGrid(hidings: readonly Hiding[]): number[][] {
  const sorted = hidings.toSorted((left, right) => left.logOdds - right.logOdds);
  return Array.from({ length: certaintyGrid.count }, (_, index) => {
    const near = nearest(sorted, certaintyGrid.from + index * certaintyGrid.step);
    near.sort((left, right) => left.full - left.logOdds - (right.full - right.logOdds));
    const total = near.reduce((sum, each) => sum + each.weight, 0);
    let [sum, at] = [0, 0];
    const quantiles = quantileLevels.map((level) => {
      while (at < near.length - 1 && sum + (near[at] as Hiding).weight < level * total) {
        sum += (near[at] as Hiding).weight;
        at += 1;
      }
      const found = near[at] as Hiding;
      return Math.round((found.full - found.logOdds) * 256) / 256;
    });
    return keepApart(quantiles);
  });
}

/** Moves quantiles that coincide apart, outwards from the median. */
function keepApart(quantiles: readonly number[]): number[] {
  const apart = [...quantiles];
  const middle = Math.floor(apart.length / 2);
  for (let at = middle + 1; at < apart.length; at += 1) apart[at] = Math.max(apart[at] as number, (apart[at - 1] as number) + gapMin);
  for (let at = middle - 1; at >= 0; at -= 1) apart[at] = Math.min(apart[at] as number, (apart[at + 1] as number) - gapMin);
  return apart;
}

function nearest(sorted: readonly Hiding[], at: number): Hiding[] {
  const reach = certaintyGrid.step / 2;
  let [start, end] = [firstFrom(sorted, at - reach), firstFrom(sorted, at + reach)];
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
