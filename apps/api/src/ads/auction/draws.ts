/**
 * The seed of one request's random draws. A candidate's draw depends only on this seed and the candidate's key,
 * not on the other candidates or on the order of visits. This lets the index skip candidates, and makes
 * "the same draws with another bid" well defined.
 */
export type Seed = { readonly a: number; readonly b: number };

const twoTo32 = 2 ** 32;

export function takeSeed(random: () => number): Seed {
  return { a: Math.floor(random() * twoTo32) >>> 0, b: Math.floor(random() * twoTo32) >>> 0 };
}

/** FNV-1a hash. */
export function keyOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Uniform within (0, 1), both ends excluded. */
export function uniformOf(seed: Seed, key: number): number {
  const mixed = mix(mix(Math.imul(key, 0x9e3779b1) ^ seed.a) + seed.b);
  return ((mixed >>> 0) + 0.5) / twoTo32;
}

/** Gives draws for different purposes independent keys. */
export const keyForPurpose = (key: number, purpose: number): number => mix(key + Math.imul(purpose, 0x9e3779b1)) >>> 0;

/** Below this share, on either side, the rational function for the tails is more accurate. */
const tailShare = 0.02425;

/**
 * The standard normal quantile of `below`. `above` = 1 − below is a parameter because it may be too small to
 * compute as a difference. Acklam's rational approximation, relative error below 1.2e-9. The coefficients are
 * inlined: reading them from arrays takes longer than the arithmetic.
 */
export function normalQuantile(below: number, above: number = 1 - below): number {
  if (below < tailShare || above < tailShare) {
    const q = Math.sqrt(-2 * Math.log(Math.min(below, above)));
    const top = ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q + 4.374664141464968) * q + 2.938163982698783;
    const bottom = (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1;
    return below < above ? top / bottom : -top / bottom;
  }
  const q = below - 0.5;
  const r = q * q;
  const top = ((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r - 30.66479806614716) * r + 2.506628277459239;
  const bottom = ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r - 13.28068155288572) * r + 1;
  return (top * q) / bottom;
}
