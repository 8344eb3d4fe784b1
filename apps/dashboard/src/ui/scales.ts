/** Positions in pictures: 0 is the start of an axis and 1 its end. */

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** The share of `value` between `from` and `to`, by powers: equal factors are equally far apart. All three are positive. */
export const logPosition = (value: number, { from, to }: { from: number; to: number }): number =>
  value <= from ? 0 : clamp(Math.log(value / from) / Math.log(to / from));

/** The powers of ten from the one at or below `least` to the one at or above `most`. */
export function powersOfTen({ least, most }: { least: number; most: number }): number[] {
  const first = Math.floor(Math.log10(least) + 1e-9);
  const last = Math.ceil(Math.log10(most) - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

/** Where a gauge marks its threshold. The rest is for what lies beyond. */
export const gaugeThresholdAt = 2 / 3;
/** Thresholds from here on are of evidence, which multiplies; smaller ones are of counts and shares, which add. */
const logThresholdMin = 100;

/** Where a gauge marks a statistic, so that its threshold lies at `gaugeThresholdAt`. */
export function gaugePosition(statistic: number, threshold: number): number {
  if (threshold <= 0) return clamp(statistic > threshold ? 1 : gaugeThresholdAt);
  if (threshold < logThresholdMin) return clamp((statistic / threshold) * gaugeThresholdAt);
  return logPosition(statistic, { from: 1, to: threshold ** (1 / gaugeThresholdAt) });
}
