/** Checks of one complete day of an account's clicks. Decision 21 derives their null hypotheses. */
import { addTrials, logRatioOf, openBet } from "../../money/evidence/bet-on-hits.ts";
import type { DayResult } from "../../money/evidence/day-result.ts";
import { addLogs } from "../../money/evidence/e-process.ts";
import type { Placement } from "../../store/schema-ads.ts";

export type ClickDay = {
  accountId: string;
  dayMs: number;
  counts: readonly { placement: Placement; impressions: number; clicks: number }[];
  /** The day's clicks, or the newest `gapClicksMax` of them. */
  clickedAtMs: readonly number[];
};

/* Click rate */

/** The most often that people click an ad that they are shown, by accident or not. */
export const clickRateMax: Record<Placement, number> = { feed: 0.15, sidebar: 0.15, fullscreen: 0.3 };
/** One visitor may make so many of an account's clicks. */
const clicksPerVisitor = 5;

function checkRates(counts: ClickDay["counts"]): DayResult {
  const placements = Object.keys(clickRateMax) as Placement[];
  let logRatio = -Infinity;
  const shown = counts.filter(({ impressions, clicks }) => impressions > 0 || clicks > 0);
  for (const placement of placements) {
    const bet = openBet();
    for (const { impressions, clicks } of shown.filter((each) => each.placement === placement)) {
      addTrials(bet, { tested: Math.max(impressions, clicks), hits: clicks, p0: clickRateMax[placement], perVisit: clicksPerVisitor });
    }
    logRatio = addLogs(logRatio, logRatioOf(bet) - Math.log(placements.length));
  }
  const sum = (of: (each: (typeof shown)[number]) => number) => shown.reduce((total, each) => total + of(each), 0);
  const tested = sum(({ impressions, clicks }) => Math.max(impressions, clicks));
  return { check: "click_rate", tested, hits: sum(({ clicks }) => clicks), logRatio, detail: { kind: "placements", placements: shown.map((each) => ({ ...each })) } };
}

/* Evenness of gaps */

/** Fewer clicks decide nothing. */
export const clicksTestedMin = 12;
/** More clicks would only take longer. */
export const gapClicksMax = 200;
const simulationsMax = 20_000;
/** The simulation stops after this many matches: the gaps are not unusual. Honest accounts get here quickly. */
const matchesMax = 50;
/** Ads that come like clockwork and are clicked this often leave the most even gaps that people's clicks can have. */
const clockworkRate = 0.25;

/** Greenwood's statistic, the sum of squares of the gaps' shares of the whole: 1 / gaps when all are equal, more otherwise. */
export function unevennessOf(atMs: readonly number[]): number {
  const sorted = atMs.toSorted((a, b) => a - b);
  const whole = sorted.at(-1)! - sorted[0]!;
  if (whole === 0) return 1;
  let sum = 0;
  for (let index = 1; index < sorted.length; index += 1) sum += ((sorted[index]! - sorted[index - 1]!) / whole) ** 2;
  return sum;
}

/** A p-value of gaps at least as even as these, by simulation. Stopping at a number of matches keeps it valid (Besag and Clifford, 1991). */
export function probabilityOfSoEven(atMs: readonly number[], random: () => number): number {
  const seen = unevennessOf(atMs);
  const gaps = atMs.length - 1;
  let asEven = 0;
  for (let simulation = 0; simulation < simulationsMax; simulation += 1) {
    let whole = 0;
    let squares = 0;
    for (let gap = 0; gap < gaps; gap += 1) {
      const length = 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - clockworkRate));
      whole += length;
      squares += length * length;
    }
    if (squares / (whole * whole) <= seen) asEven += 1;
    if (asEven >= matchesMax) return asEven / (simulation + 1);
  }
  // Never 0: this is the resolution of the simulation.
  return (asEven + 1) / (simulationsMax + 1);
}

/** An e-value from a p-value: the mean over κ of κ p^(κ − 1), whose integral over p is 1 for each κ. */
export function logRatioOfProbability(probability: number): number {
  if (probability >= 1) return -Math.LN2;
  const log = Math.log(probability);
  return Math.log((1 - probability + probability * log) / (probability * log * log));
}

/** Random numbers that depend on the account and the day only, so that a result can be computed again. */
function seedRandom(text: string): () => number {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function checkGaps({ accountId, dayMs, clickedAtMs }: ClickDay): DayResult[] {
  if (clickedAtMs.length < clicksTestedMin) return [];
  const newest = clickedAtMs.toSorted((a, b) => a - b).slice(-gapClicksMax);
  const probability = probabilityOfSoEven(newest, seedRandom(`${accountId} ${dayMs}`));
  return [{ check: "regular_clicks", tested: newest.length, hits: newest.length, logRatio: logRatioOfProbability(probability), detail: { kind: "gaps", probability } }];
}

/** No result where there is nothing to test. */
export const checkClickDay = (day: ClickDay): DayResult[] => [...(day.counts.some(({ impressions, clicks }) => impressions + clicks > 0) ? [checkRates(day.counts)] : []), ...checkGaps(day)];
