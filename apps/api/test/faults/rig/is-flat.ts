/** Tests whether a measurement grew during a run. */

const medianOf = (values: Float64Array): number => {
  const sorted = values.toSorted();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** One-sided false-positive rate of one in a thousand, for independent samples. */
const deviationsMax = 3.09;

/** With fewer samples a series that only rises would not be significant, and nothing could fail. */
const samplesMin = 10;

/** Mann–Kendall: how many standard deviations more pairs rise than fall. Uses ranks only, so outliers do not matter. */
export function deviationsOfTrend(values: readonly number[]): number {
  const { length } = values;
  let rising = 0;
  for (let later = 1; later < length; later += 1) {
    for (let earlier = 0; earlier < later; earlier += 1) rising += Math.sign(values[later]! - values[earlier]!);
  }
  const timesOf = new Map<number, number>();
  for (const value of values) timesOf.set(value, (timesOf.get(value) ?? 0) + 1);
  const spread = (count: number) => count * (count - 1) * (2 * count + 5);
  const variance = (spread(length) - [...timesOf.values()].reduce((sum, times) => sum + spread(times), 0)) / 18;
  return variance === 0 ? 0 : (rising - Math.sign(rising)) / Math.sqrt(variance);
}

/** Theil–Sen: the line whose slope is the median of the slopes between all pairs of samples. */
function fitLine(values: readonly number[]): { first: number; last: number } {
  const slopes = new Float64Array((values.length * (values.length - 1)) / 2);
  let at = 0;
  for (let later = 1; later < values.length; later += 1) {
    for (let earlier = 0; earlier < later; earlier += 1) slopes[at++] = (values[later]! - values[earlier]!) / (later - earlier);
  }
  const slope = medianOf(slopes);
  const first = medianOf(Float64Array.from(values, (value, index) => value - slope * index));
  return { first, last: first + slope * (values.length - 1) };
}

export type Flatness = { first: number; last: number; deviations: number; isFlat: boolean };

/**
 * Fits a line to equally spaced samples. They are not flat if the line's growth is both significant and larger than
 * `growthMax`, as a share of its start: with enough samples even the smallest growth is significant.
 */
export function judgeGrowth(values: readonly number[], growthMax: number): Flatness {
  if (values.length < samplesMin) throw new Error(`${values.length} samples are too few to find any growth`);
  const { first, last } = fitLine(values);
  const deviations = deviationsOfTrend(values);
  return { first, last, deviations, isFlat: deviations <= deviationsMax || last <= first * (1 + growthMax) };
}
