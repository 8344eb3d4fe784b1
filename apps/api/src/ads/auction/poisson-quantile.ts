/** Above this mean the sum would be long, and the expansion is within one click of it. */
const summedMeanMax = 60;

/** The 99.9% point of the standard normal, for `poissonQuantile999`. */
const normalScore999 = 3.090232306167813;

/**
 * The fewest clicks that are not exceeded with a probability of 99.9% when `mean` are expected. For a large mean
 * the Cornish–Fisher expansion, rounded up: never under the exact value, at most one over.
 */
export function poissonQuantile999(mean: number): number {
  if (mean <= 0) return 0;
  if (mean <= summedMeanMax) {
    let probability = Math.exp(-mean);
    let cumulated = probability;
    let count = 0;
    while (cumulated < 0.999) {
      count += 1;
      probability *= mean / count;
      cumulated += probability;
    }
    return count;
  }
  const z = normalScore999;
  return Math.ceil(mean + z * Math.sqrt(mean) + (z * z - 1) / 6);
}
