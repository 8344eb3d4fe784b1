import { exactExp, exactLog1p } from "../../packages/scoring/src/exact-math.ts";

/** A visitor who asks for nothing for longer than this is not counted as active. */
const gapSecondsMax = 30;

/**
 * The share of a session in which its visitor was active, when a gap between two requests counts for 30 s at most.
 *
 * The source publishes the mean and the standard deviation of a session's gaps, not the gaps. They are taken as
 * log-normal with that mean and deviation: the share is E[min(gap, 30)] / E[gap].
 */
export function activeShare(gapSecondsMean: number, gapSecondsDeviation: number): number {
  if (gapSecondsDeviation === 0) return Math.min(1, gapSecondsMax / gapSecondsMean);
  const variation = gapSecondsDeviation / gapSecondsMean;
  const variance = exactLog1p(variation * variation);
  const deviation = Math.sqrt(variance);
  const distance = exactLog(gapSecondsMax / gapSecondsMean) + variance / 2;
  const within = normalCumulative((distance - variance) / deviation);
  const beyond = normalCumulative(-distance / deviation);
  return Math.min(1, within + (gapSecondsMax / gapSecondsMean) * beyond);
}

const exactLog = (x: number) => (x >= 1 ? exactLog1p(x - 1) : -exactLog1p(1 / x - 1));

/** Beyond this the normal distribution's tail is smaller than the error of the series. */
const deviationsMax = 8;
const rootOfTwoPi = 2.5066282746310002;

/** The standard normal distribution by its series, from exact operations only: the same bytes on every machine. */
export function normalCumulative(z: number): number {
  if (z >= deviationsMax) return 1;
  if (z <= -deviationsMax) return 0;
  const square = z * z;
  let term = z;
  let sum = z;
  for (let odd = 3; Math.abs(term) > 1e-18; odd += 2) {
    term = (term * square) / odd;
    sum += term;
  }
  return 0.5 + (exactExp(-square / 2) * sum) / rootOfTwoPi;
}
