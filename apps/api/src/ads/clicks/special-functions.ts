/** Log-gamma by the Lanczos approximation (g = 7, nine terms): 15 digits for x > 0, the only range used here. */
const series = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const shifted = x - 1;
  let sum = series[0]!;
  for (let term = 1; term < series.length; term += 1) sum += series[term]! / (shifted + term);
  const base = shifted + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b);

/** Terms below this share of the largest one are dropped. */
const negligible = 1e-12;

/**
 * P(X ≥ hits) for a beta-binomial X of `trials` trials whose rate is Beta(mean × spread, (1 − mean) × spread)
 * distributed: the smaller the spread parameter, the more the rate varies.
 */
export function betaBinomialTail(count: { hits: number; trials: number }, rate: { mean: number; spread: number }): number {
  const { hits, trials } = count;
  if (hits <= 0) return 1;
  if (hits > trials) return 0;
  const a = rate.mean * rate.spread;
  const b = (1 - rate.mean) * rate.spread;
  const logTermAt = (k: number) =>
    logGamma(trials + 1) - logGamma(k + 1) - logGamma(trials - k + 1) + logBeta(k + a, trials - k + b) - logBeta(a, b);
  let term = Math.exp(logTermAt(hits));
  let sum = term;
  let largest = term;
  for (let k = hits; k < trials; k += 1) {
    term *= ((trials - k) * (k + a)) / ((k + 1) * (trials - k - 1 + b));
    sum += term;
    largest = Math.max(largest, term);
    if (term < largest * negligible) break;
  }
  return Math.min(1, sum);
}
