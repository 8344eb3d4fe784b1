/*
 * ECMAScript leaves the precision of Math.exp and Math.log to the engine. These functions use only additions,
 * multiplications and divisions, which IEEE 754 defines exactly, so that scores and training runs are
 * bit-identical in every engine and on every processor.
 */

const ln2 = 0.6931471805599453;

const powerOfTwoMax = 64;
/** 2^-64 to 2^64, as `exactExp` needs for its bounded argument. */
const powersOfTwo = Float64Array.from({ length: 2 * powerOfTwoMax + 1 }, (_, index) => {
  let power = 1;
  for (let step = powerOfTwoMax; step < index; step += 1) power *= 2;
  for (let step = index; step < powerOfTwoMax; step += 1) power /= 2;
  return power;
});

/** Beyond this the sigmoid is 0 or 1 for every purpose here. */
const exponentMax = 40;

/** e^x, with x clamped to ±40; relative error below 1e-14. */
export function exactExp(x: number): number {
  const bounded = x > exponentMax ? exponentMax : x < -exponentMax ? -exponentMax : x;
  const power = Math.round(bounded / ln2);
  const rest = bounded - power * ln2;
  let sum = 1;
  for (let term = 13; term >= 1; term -= 1) sum = 1 + (sum * rest) / term;
  return sum * (powersOfTwo[power + powerOfTwoMax] as number);
}

/** Far beyond anything the API accepts; larger amounts, including infinity, are clamped to it. */
const amountMax = 1e18;

/** ln(1 + x) for x ≥ 0; relative error below 1e-13. */
export function exactLog1p(x: number): number {
  let mantissa = 1 + (x < amountMax ? x : amountMax);
  let exponent = 0;
  while (mantissa >= 65_536) {
    mantissa /= 65_536;
    exponent += 16;
  }
  while (mantissa > Math.SQRT2) {
    mantissa /= 2;
    exponent += 1;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let sum = 0;
  for (let odd = 19; odd >= 1; odd -= 2) sum = sum * square + 1 / odd;
  return 2 * ratio * sum + exponent * ln2;
}

export function exactSigmoid(logit: number): number {
  if (logit < 0) {
    const odds = exactExp(logit);
    return odds / (1 + odds);
  }
  return 1 / (1 + exactExp(-logit));
}

/** ln(p / (1 − p)) for p strictly between 0 and 1. */
export function exactLogit(probability: number): number {
  const odds = probability / (1 - probability);
  return odds >= 1 ? exactLog1p(odds - 1) : -exactLog1p(1 / odds - 1);
}
