import { exactLogit, exactSigmoid } from "@assay/scoring/exact-math.ts";

export type LabelledScore = { score: number; isGood: boolean };

export type Recalibration = {
  slope: number;
  intercept: number;
  /** The recalibrated score, from 0 to 100. */
  suggest(score: number): number;
};

/** Scores of 0 and 100 have infinite log-odds; they are moved by half of the last decimal. */
const scoreMargin = 0.05;
const stepsMax = 100;
const stepSmall = 1e-10;
/** A small penalty keeps the fit finite when scores and outcomes agree perfectly. */
const ridge = 1e-6;

const logOddsOf = (score: number) => exactLogit(Math.min(100 - scoreMargin, Math.max(scoreMargin, score)) / 100);

type Point = { x: number; target: number; count: number };

/** Scores have one decimal, so many sessions share a point. */
function toPoints(sessions: readonly LabelledScore[], targetOf: (isGood: boolean) => number): Point[] {
  const points = new Map<string, Point>();
  for (const { score, isGood } of sessions) {
    const key = `${score} ${isGood}`;
    const point = points.get(key);
    if (point) point.count += 1;
    else points.set(key, { x: logOddsOf(score), target: targetOf(isGood), count: 1 });
  }
  return [...points.values()];
}

/** Negative log-likelihood with its first and second derivatives. Targets lie inside 0 and 1, as Platt does against overfitting. */
function measureFit(points: readonly Point[], slope: number, intercept: number) {
  const fit = {
    loss: 0.5 * ridge * (slope ** 2 + intercept ** 2),
    bySlope: ridge * slope,
    byIntercept: ridge * intercept,
    xx: ridge,
    x: 0,
    one: ridge,
  };
  for (const { x, target, count } of points) {
    const logit = slope * x + intercept;
    const said = exactSigmoid(logit);
    const weight = count * said * (1 - said);
    const excess = count * (said - target);
    // log(1 + e^-|logit|) without overflow.
    fit.loss += count * (Math.max(logit, 0) - target * logit + Math.log1p(Math.exp(-Math.abs(logit))));
    fit.bySlope += excess * x;
    fit.byIntercept += excess;
    fit.xx += weight * x * x;
    fit.x += weight * x;
    fit.one += weight;
  }
  return fit;
}

/** Newton's method with step halving: the loss is convex, so it converges to the only minimum. */
function minimise(points: readonly Point[], isFlat: boolean): { slope: number; intercept: number } {
  let at = { slope: isFlat ? 0 : 1, intercept: 0 };
  let fit = measureFit(points, at.slope, at.intercept);
  for (let step = 0; step < stepsMax; step += 1) {
    const determinant = fit.xx * fit.one - fit.x ** 2;
    const slopeStep = isFlat ? 0 : (fit.one * fit.bySlope - fit.x * fit.byIntercept) / determinant;
    const interceptStep = isFlat ? fit.byIntercept / fit.one : (fit.xx * fit.byIntercept - fit.x * fit.bySlope) / determinant;
    let part = 1;
    let next = at;
    let nextFit = fit;
    do {
      next = { slope: at.slope - part * slopeStep, intercept: at.intercept - part * interceptStep };
      nextFit = measureFit(points, next.slope, next.intercept);
      part /= 2;
    } while (nextFit.loss > fit.loss && part > stepSmall);
    if (nextFit.loss > fit.loss || Math.abs(slopeStep) + Math.abs(interceptStep) < stepSmall) return at;
    [at, fit] = [next, nextFit];
  }
  return at;
}

/**
 * Platt scaling of scores to the share of good outcomes. It never falls with the score: where the outcomes contradict
 * the scores, it is flat. Needs outcomes of both kinds.
 */
export function fitRecalibration(sessions: readonly LabelledScore[]): Recalibration {
  const good = sessions.filter(({ isGood }) => isGood).length;
  const bad = sessions.length - good;
  if (good === 0 || bad === 0) throw new Error("a fit needs good and bad outcomes");
  const [goodTarget, badTarget] = [(good + 1) / (good + 2), 1 / (bad + 2)];
  const points = toPoints(sessions, (isGood) => (isGood ? goodTarget : badTarget));
  const free = minimise(points, false);
  const { slope, intercept } = free.slope > 0 ? free : minimise(points, true);
  return { slope, intercept, suggest: (score) => 100 * exactSigmoid(slope * logOddsOf(score) + intercept) };
}
