/**
 * Tests whether honest visitors plausibly made an account's clicks. The two tests together give an honest account a
 * false alarm with a probability below `falseAlarmRate` per run:
 *
 * - The click rate in a placement, against the other accounts' rates there. Honest accounts differ, so the rate is
 *   modelled as drawn from a beta distribution as wide as the others' rates.
 * - The gaps between clicks. Independent visitors leave random gaps, and rush hours only make them less even. A
 *   timer leaves gaps that are too even (Greenwood's statistic, lower tail).
 *
 * Neither is proof: a finding asks an operator to review the account, and holds its pending clicks meanwhile.
 */
import type { Placement } from "../../store/schema-ads.ts";
import { betaBinomialTail } from "./special-functions.ts";

export const falseAlarmRate = 0.001;
/** Fewer clicks are not tested: they decide nothing. */
export const clicksTestedMin = 12;
/** More clicks would only take longer. */
export const gapClicksMax = 200;
const simulationsMax = 20_000;
/** The simulation stops after this many matches: the gaps are not unusual. Honest accounts get here quickly. */
const matchesMax = 50;

/** The prior of a placement's click rate: one click in a hundred, with the weight of a thousand impressions. */
const assumedRate = 0.01;
const assumedImpressions = 1_000;
/** The spread of rates when there are too few accounts, and its bounds. At 40 a rate of 1% has a standard deviation of 1.6%. */
const assumedSpread = 40;
const spreadMin = 10;
const spreadMax = 2_000;
/** The spread is estimated from at least this many accounts with at least this many impressions. */
const spreadAccountsMin = 10;
const spreadImpressionsMin = 500;

export type PlacementCount = { accountId: string; placement: Placement; impressions: number; clicks: number };

export type SelfClickingFinding =
  | { code: "click_rate_too_high"; placement: Placement; clicks: number; impressions: number; usualRate: number; probability: number }
  | { code: "clicks_too_regular"; clicks: number; probability: number };

/** The other accounts' pooled rate, and the spread of their rates by the method of moments. */
export function usualRateOf(others: readonly PlacementCount[]): { mean: number; spread: number } {
  let clicks = assumedRate * assumedImpressions;
  let impressions = assumedImpressions;
  for (const each of others) {
    clicks += each.clicks;
    impressions += each.impressions;
  }
  const mean = Math.min(0.5, clicks / impressions);
  const large = others.filter((each) => each.impressions >= spreadImpressionsMin);
  if (large.length < spreadAccountsMin) return { mean, spread: assumedSpread };
  const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const rates = large.map((each) => each.clicks / each.impressions);
  const centre = average(rates);
  const variance = average(rates.map((rate) => (rate - centre) ** 2));
  const samplingVariance = average(large.map((each) => (centre * (1 - centre)) / each.impressions));
  const betweenAccounts = variance - samplingVariance;
  const spread = betweenAccounts <= 0 ? spreadMax : (centre * (1 - centre)) / betweenAccounts - 1;
  return { mean, spread: Math.min(spreadMax, Math.max(spreadMin, spread)) };
}

/** Greenwood's statistic, the sum of squares of the gaps' shares of the whole: 1 / gaps when all are equal, more otherwise. */
export function unevennessOf(atMs: readonly number[]): number {
  const sorted = atMs.toSorted((a, b) => a - b);
  const whole = sorted.at(-1)! - sorted[0]!;
  if (whole === 0) return 0;
  let sum = 0;
  for (let index = 1; index < sorted.length; index += 1) sum += ((sorted[index]! - sorted[index - 1]!) / whole) ** 2;
  return sum;
}

/** The probability that chance leaves gaps at least as even as these, by simulation. */
export function probabilityOfSoEven(atMs: readonly number[], random: () => number): number {
  const seen = unevennessOf(atMs);
  const gaps = atMs.length - 1;
  let asEven = 0;
  for (let simulation = 0; simulation < simulationsMax; simulation += 1) {
    let whole = 0;
    let squares = 0;
    for (let gap = 0; gap < gaps; gap += 1) {
      const length = -Math.log(1 - random());
      whole += length;
      squares += length * length;
    }
    if (squares / (whole * whole) <= seen) asEven += 1;
    if (asEven >= matchesMax) return asEven / (simulation + 1);
  }
  // Never 0: this is the resolution of the simulation.
  return (asEven + 1) / (simulationsMax + 1);
}

/** Findings about one account, given the counts of all accounts in the same span. */
export function findSelfClicking(
  account: { accountId: string; clickedAtMs: readonly number[] },
  counts: readonly PlacementCount[],
  random: () => number,
): SelfClickingFinding[] {
  const own = counts.filter((each) => each.accountId === account.accountId && each.clicks >= clicksTestedMin);
  const areGapsTested = account.clickedAtMs.length >= clicksTestedMin;
  const tests = own.length + Number(areGapsTested);
  const limit = falseAlarmRate / Math.max(1, tests);
  const findings: SelfClickingFinding[] = [];
  for (const { placement, impressions, clicks } of own) {
    const others = counts.filter((each) => each.placement === placement && each.accountId !== account.accountId);
    const usual = usualRateOf(others);
    const probability = betaBinomialTail({ hits: clicks, trials: Math.max(impressions, clicks) }, usual);
    if (probability < limit) {
      findings.push({ code: "click_rate_too_high", placement, clicks, impressions, usualRate: usual.mean, probability });
    }
  }
  if (areGapsTested) {
    const clickedAtMs = account.clickedAtMs.slice(-gapClicksMax);
    const probability = probabilityOfSoEven(clickedAtMs, random);
    if (probability < limit) findings.push({ code: "clicks_too_regular", clicks: clickedAtMs.length, probability });
  }
  return findings;
}

/** The text for the operator. */
export function describeFinding(finding: SelfClickingFinding): string {
  if (finding.code === "clicks_too_regular") {
    return `${finding.clicks} clicks came at more even intervals than chance produces once in ${Math.floor(1 / finding.probability)} times.`;
  }
  const percent = (share: number) => `${(share * 100).toFixed(2)}%`;
  const { clicks, impressions, placement, usualRate, probability } = finding;
  return (
    `${clicks} clicks on ${impressions} impressions in ${placement} are ${percent(clicks / Math.max(1, impressions))}; ` +
    `the usual rate there is ${percent(usualRate)}. Honest traffic does this once in ${Math.floor(1 / Math.max(probability, 1e-12))} times.`
  );
}
