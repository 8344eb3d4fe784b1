/** The normal value that 95 of 100 draws stay within. */
const z = 1.959963984540054;

export type RateEstimate = { value: number; low: number; high: number };

/**
 * A share with Wilson's interval: it stays within 0 and 1 and means something for small numbers too. Undefined
 * where nothing was tried.
 */
export function wilson(successes: number, trials: number): RateEstimate | undefined {
  if (trials <= 0) return undefined;
  // Clicks of an impression in the hour before can outnumber an hour's impressions.
  const value = Math.min(1, Math.max(0, successes / trials));
  const spread = 1 + (z * z) / trials;
  const centre = (value + (z * z) / (2 * trials)) / spread;
  const half = (z / spread) * Math.sqrt((value * (1 - value)) / trials + (z * z) / (4 * trials * trials));
  return { value, low: value === 0 ? 0 : Math.max(0, centre - half), high: value === 1 ? 1 : Math.min(1, centre + half) };
}
