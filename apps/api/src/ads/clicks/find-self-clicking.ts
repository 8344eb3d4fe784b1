/**
 * Whether an account's clicks are what honest visitors produce. Two tests, each of which an honest account
 * fails so rarely that together they stay under `falseAlarmRate` per account and run:
 *
 * - its click rate in a placement, against the rates of the other accounts there. Honest accounts differ, so
 *   the rate is taken as drawn from a beta distribution as wide as the others' rates are;
 * - the gaps between its clicks. Visitors who know nothing of each other leave gaps at random, and rush hours
 *   only make them less even; a timer leaves them too even (Greenwood's statistic, lower tail).
 *
 * Neither proves anything: a finding asks an operator to look, and holds what is pending meanwhile.
 */
import type { Placement } from "../../store/schema-ads.ts";
import { betaBinomialTail } from "./special-functions.ts";

export const falseAlarmRate = 0.001;
/** Fewer clicks decide nothing, however odd they look. */
export const clicksWorthATest = 12;
/** Clicks whose gaps are looked at; more would only cost time. */
export const gapsLookedAtMax = 200;
const gapDrawings = 20_000;
/** Drawings stop here: what chance has matched this often is nothing unusual, and honest accounts get here at once. */
const matchesThatSettle = 50;

/** What is assumed of a placement of which little is known: one click in a hundred, from a thousand impressions. */
const assumedRate = 0.01;
const assumedImpressions = 1_000;
/** Spread of rates when too few accounts tell, and its bounds: at 40 a rate of 1% has a standard deviation of 1.6%. */
const assumedSpread = 40;
const spreadMin = 10;
const spreadMax = 2_000;
const accountsThatTell = 10;
const impressionsThatTell = 500;

export type PlacementCount = { accountId: string; placement: Placement; impressions: number; clicks: number };

export type SelfClickingFinding =
  | { code: "click_rate_too_high"; placement: Placement; clicks: number; impressions: number; usualRate: number; probability: number }
  | { code: "clicks_too_regular"; clicks: number; probability: number };

/** The others' pooled rate, and how widely honest rates vary around it (by the method of moments). */
export function usualRateOf(others: readonly PlacementCount[]): { mean: number; spread: number } {
  let clicks = assumedRate * assumedImpressions;
  let impressions = assumedImpressions;
  for (const each of others) {
    clicks += each.clicks;
    impressions += each.impressions;
  }
  const mean = Math.min(0.5, clicks / impressions);
  const telling = others.filter((each) => each.impressions >= impressionsThatTell);
  if (telling.length < accountsThatTell) return { mean, spread: assumedSpread };
  const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const rates = telling.map((each) => each.clicks / each.impressions);
  const centre = average(rates);
  const seen = average(rates.map((rate) => (rate - centre) ** 2));
  // What chance alone would scatter at these numbers of impressions is not the accounts' own variation.
  const byChance = average(telling.map((each) => (centre * (1 - centre)) / each.impressions));
  const own = seen - byChance;
  const spread = own <= 0 ? spreadMax : (centre * (1 - centre)) / own - 1;
  return { mean, spread: Math.min(spreadMax, Math.max(spreadMin, spread)) };
}

/** The sum of squares of the gaps' shares of the whole: 1 / gaps when they are all equal, more otherwise. */
export function unevennessOf(atMs: readonly number[]): number {
  const sorted = atMs.toSorted((a, b) => a - b);
  const whole = sorted.at(-1)! - sorted[0]!;
  if (whole === 0) return 0;
  let sum = 0;
  for (let index = 1; index < sorted.length; index += 1) sum += ((sorted[index]! - sorted[index - 1]!) / whole) ** 2;
  return sum;
}

/** How probable gaps as even as these are by chance, from random drawings. */
export function probabilityOfSoEven(atMs: readonly number[], random: () => number): number {
  const seen = unevennessOf(atMs);
  const gaps = atMs.length - 1;
  let asEven = 0;
  for (let drawing = 0; drawing < gapDrawings; drawing += 1) {
    let whole = 0;
    let squares = 0;
    for (let gap = 0; gap < gaps; gap += 1) {
      const length = -Math.log(1 - random());
      whole += length;
      squares += length * length;
    }
    if (squares / (whole * whole) <= seen) asEven += 1;
    if (asEven >= matchesThatSettle) return asEven / (drawing + 1);
  }
  // Never 0: so many drawings cannot tell more than this.
  return (asEven + 1) / (gapDrawings + 1);
}

/** What is odd about one account, given what all accounts had in the same span. */
export function findSelfClicking(
  account: { accountId: string; clickedAtMs: readonly number[] },
  counts: readonly PlacementCount[],
  random: () => number,
): SelfClickingFinding[] {
  const own = counts.filter((each) => each.accountId === account.accountId && each.clicks >= clicksWorthATest);
  const areGapsTested = account.clickedAtMs.length >= clicksWorthATest;
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
    const clickedAtMs = account.clickedAtMs.slice(-gapsLookedAtMax);
    const probability = probabilityOfSoEven(clickedAtMs, random);
    if (probability < limit) findings.push({ code: "clicks_too_regular", clicks: clickedAtMs.length, probability });
  }
  return findings;
}

/** Says to an operator what was found, with the figures. */
export function describeFinding(finding: SelfClickingFinding): string {
  if (finding.code === "clicks_too_regular") {
    return `${finding.clicks} clicks came at intervals more even than chance leaves once in ${Math.floor(1 / finding.probability)} times.`;
  }
  const percent = (share: number) => `${(share * 100).toFixed(2)}%`;
  const { clicks, impressions, placement, usualRate, probability } = finding;
  return (
    `${clicks} clicks on ${impressions} impressions in ${placement} are ${percent(clicks / Math.max(1, impressions))}; ` +
    `usual there are ${percent(usualRate)}. Honest traffic does this once in ${Math.floor(1 / Math.max(probability, 1e-12))} times.`
  );
}
