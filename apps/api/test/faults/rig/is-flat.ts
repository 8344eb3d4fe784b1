/** Tests whether a measurement grew during a long run. */

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** One-sided false-positive rate of one in a thousand. */
const deviationsMax = 3.09;

/**
 * How many standard deviations the later values lie above the earlier ones, by the normal approximation of the
 * Mann–Whitney U test. It uses ranks only, so outliers and the distribution of the values do not matter.
 */
export function deviationsAbove(earlier: readonly number[], later: readonly number[]): number {
  let wins = 0;
  for (const one of earlier) for (const other of later) wins += other > one ? 1 : other === one ? 0.5 : 0;
  const pairs = earlier.length * later.length;
  const deviation = Math.sqrt((pairs * (earlier.length + later.length + 1)) / 12);
  return deviation === 0 ? 0 : (wins - pairs / 2) / deviation;
}

export type Flatness = { first: number; last: number; deviations: number; isFlat: boolean };

/**
 * Compares the first and the last third. A series is not flat if its growth is both significant and larger than
 * `growthMax`: with enough samples even the smallest growth is significant.
 */
export function compareThirds(values: readonly number[], growthMax: number): Flatness {
  const third = Math.floor(values.length / 3);
  const [earlier, later] = [values.slice(0, third), values.slice(-third)];
  const [first, last] = [medianOf(earlier), medianOf(later)];
  const deviations = deviationsAbove(earlier, later);
  return { first, last, deviations, isFlat: deviations <= deviationsMax || last <= first * (1 + growthMax) };
}
