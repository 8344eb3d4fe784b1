/** A Beta distribution of a click rate. `alpha` is 1 or more, `beta` 9 or more: see `rateAt`. */
export type Belief = { readonly alpha: number; readonly beta: number };

export const expectedRate = ({ alpha, beta }: Belief): number => alpha / (alpha + beta);

/** Standard deviations above the mean, used where too low an estimate would cost somebody money. */
const cautionScore = 1.5;

/** The mean plus a margin that shrinks with more clicks: 2.5 times the mean at one click, 15% above it at a hundred. */
export const cautiousRate = (belief: Belief): number => {
  const { alpha, beta } = belief;
  const mean = expectedRate(belief);
  return mean + cautionScore * Math.sqrt((mean * (1 - mean)) / (alpha + beta + 1));
};

/** Three numbers per belief, precomputed for `rateAt`: 1 / 9 alpha, 1 / 9 beta, alpha / beta. */
export type RateCurves = Float64Array;
const stride = 3;

export function rateCurvesOf(beliefs: readonly Belief[]): RateCurves {
  const curves = new Float64Array(stride * beliefs.length);
  let at = 0;
  for (const { alpha, beta } of beliefs) {
    curves[at] = 1 / (9 * alpha);
    curves[at + 1] = 1 / (9 * beta);
    curves[at + 2] = alpha / beta;
    at += stride;
  }
  return curves;
}

/** Beyond this the approximation is no longer monotonic; 32 random bits do not reach much further. */
const normalScoreMax = 6;
/** The minimum cube root of an F value. It keeps every rate above 0, because prices are divided by rates. */
const rootMin = 0.01;

/**
 * The click rate at a normal score: Paulson's form of the Wilson–Hilferty approximation to the Beta quantile. It
 * rises with the score and needs one square root. The tests compare it with the exact quantile.
 */
export function rateAt(curves: RateCurves, index: number, normalScore: number): number {
  const z = Math.min(normalScoreMax, Math.max(-normalScoreMax, normalScore));
  const a = curves[stride * index]!;
  const b = curves[stride * index + 1]!;
  const spread = a * (1 - b) * (1 - b) + b * (1 - a) * (1 - a) - a * b * z * z;
  const root = ((1 - a) * (1 - b) + z * Math.sqrt(spread)) / ((1 - b) * (1 - b) - b * z * z);
  const clamped = Math.max(rootMin, root);
  const odds = curves[stride * index + 2]! * clamped * clamped * clamped;
  return odds / (1 + odds);
}
