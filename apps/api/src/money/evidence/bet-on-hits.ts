import { addLogs } from "./e-process.ts";

/**
 * A bet against "each trial, given everything before it, is a hit with a probability of at most p0". Its value is the
 * likelihood ratio of rates above p0, averaged over a fixed grid, so its mean is at most 1 if the hypothesis is true,
 * also if the rate changes from trial to trial, and if p0 is another one for later trials.
 */
export type Bet = {
  /** What the bet has become at each rate of the grid. */
  logRatios: Float64Array;
  tested: number;
  hits: number;
};

/** The rates that are bet on, as shares of the way from p0 to 1, and their weights, which sum to 1. */
const rateGrid = [
  { share: 0.2, weight: 0.1 },
  { share: 0.5, weight: 0.15 },
  { share: 0.9, weight: 0.25 },
  { share: 0.99, weight: 0.5 },
] as const;

export const openBet = (): Bet => ({ logRatios: new Float64Array(rateGrid.length), tested: 0, hits: 0 });

/**
 * Adds trials. `perVisit` is how many trials one independent visit may cause: the root of that order keeps the mean at
 * most 1, because it is the geometric mean of the ratios of the visits' first, second, … trials.
 */
export function addTrials(bet: Bet, trials: { tested: number; hits: number; p0: number; perVisit: number }): void {
  const { tested, hits, p0, perVisit } = trials;
  bet.tested += tested;
  bet.hits += hits;
  rateGrid.forEach(({ share }, index) => {
    const p1 = p0 + (1 - p0) * share;
    bet.logRatios[index]! += (hits * Math.log(p1 / p0) + (tested - hits) * Math.log((1 - p1) / (1 - p0))) / perVisit;
  });
}

/** What is left of a bet that nothing was tested with. Less than a bet's due is never wrong, and evidence fades on days that do not confirm it. */
const logLost = -700;

export const logRatioOf = (bet: Bet): number =>
  bet.tested === 0 ? logLost : rateGrid.reduce((total, { weight }, index) => addLogs(total, Math.log(weight) + bet.logRatios[index]!), logLost);
