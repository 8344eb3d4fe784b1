/** Exact but slow quantile of a Beta distribution: bisection over the regularised incomplete beta function. */
export function betaQuantile(alpha: number, beta: number, share: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2;
    if (incompleteBeta(alpha, beta, middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Continued fraction by Lentz's method, on the side where it converges fast. */
function incompleteBeta(alpha: number, beta: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (alpha + 1) / (alpha + beta + 2)) return 1 - incompleteBeta(beta, alpha, 1 - x);
  const front = Math.exp(logGamma(alpha + beta) - logGamma(alpha) - logGamma(beta) + alpha * Math.log(x) + beta * Math.log1p(-x)) / alpha;
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / (1 - ((alpha + beta) * x) / (alpha + 1) || tiny);
  let fraction = d;
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (beta - m) * x) / ((alpha + 2 * m - 1) * (alpha + 2 * m));
    d = 1 / (1 + even * d || tiny);
    c = 1 + even / c || tiny;
    fraction *= d * c;
    const odd = (-(alpha + m) * (alpha + beta + m) * x) / ((alpha + 2 * m) * (alpha + 2 * m + 1));
    d = 1 / (1 + odd * d || tiny);
    c = 1 + odd / c || tiny;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return front * fraction;
}

/** Stirling's series, after shifting the argument to where it is accurate. */
function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  while (at < 12) {
    shift -= Math.log(at);
    at += 1;
  }
  return shift + (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * at) - 1 / (360 * at ** 3) + 1 / (1260 * at ** 5);
}
