/**
 * Whether a week is like the four before it. Sessions of one site are not independent: weekdays differ, a campaign
 * moves a day, a season moves a week. So each day is compared with the same weekdays before, and how far is far is
 * learnt from how far the days and weeks before were from each other. What that leaves is weighed by the rule of
 * integrity: see ../../money/evidence/e-process.ts. Decision 31 says why, and where the numbers come from.
 */
import { addDay, dayFactorMax, startEvidence } from "../../money/evidence/e-process.ts";
import { type Binned, comparedNames, poolDays } from "./bin-day.ts";
import { type Aspect, aspects, compareDay, type Distance } from "./compare-days.ts";

export const daysPerWeek = 7;
export const weeksBefore = 4;
export const daysCompared = (weeksBefore + 1) * daysPerWeek;

/** A change of less is nothing to act on: see the three kinds of distance in compare-days.ts. */
const distanceMin: Record<Aspect, number> = { missing: 0.04, level: 0.01, shape: 0.05 };
/** So many deviations of the weeks before from each other are usual for a week. */
const weekDeviationsMax = 1.5;
/** The shift that is bet on, in deviations of a day. */
const shiftDeviations = 2;
/** Of the 28 days before, so many must have had enough sessions to say how much days vary. */
const residualsMin = 14;

/**
 * An account without drift reaches evidence of 100 in at most one week of a hundred. Integrity asks for 1,000, because it
 * holds money; a line on a page holds none. Days count as much in both, so two odd days are no drift either.
 */
const logThreshold = Math.log(100);
/** Of one signal: the weights of its aspects sum to 1. */
const aspectWeights: Record<Aspect, number> = { missing: 0.4, level: 0.4, shape: 0.2 };
/** Each of the six signals and the score has the same part in the evidence, whether or not it can be judged. */
const comparedWeight = 1 / comparedNames.length;

export type AspectDrift = { aspect: Aspect; direction: 1 | -1 };

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

/** Of a normal distribution: from the median absolute deviation to the deviation, and the variance of a median to that of a mean. */
const madToDeviation = 1.4826;
const medianVariance = Math.PI / 2;
/** A residual is a day against two others, a day of this week is one against three: (1 + 1/3) / (1 + 1/2). */
const residualToDay = 8 / 9;

/** The share of sessions that differ between two sets. */
function differingShare(one: Binned, other: Binned): number {
  const [sessions, others] = [Math.max(1, one.missing + one.present), Math.max(1, other.missing + other.present)];
  const differs = Math.abs(one.missing / sessions - other.missing / others);
  return one.bins.reduce((total, count, index) => total + Math.abs(count / sessions - other.bins[index]! / others), differs) / 2;
}

/** The days of one weekday in the weeks before, but for that of one week, and without the oddest: a campaign has days of its own. */
function poolWeekday(days: readonly Binned[], weekday: number, exceptWeek: number): Binned {
  const same = Array.from({ length: weeksBefore }, (_, week) => week).filter((week) => week !== exceptWeek).map((week) => days[week * daysPerWeek + weekday]!);
  const oddness = same.map((day) => differingShare(day, poolDays(same.filter((other) => other !== day))));
  return poolDays(same.toSpliced(oddness.indexOf(Math.max(...oddness)), 1));
}

type Residual = Distance & { week: number };

/** How far each day of the weeks before is from the same weekdays of the other three weeks. */
function listResiduals(days: readonly Binned[], aspect: Aspect): Residual[] {
  return days.slice(0, weeksBefore * daysPerWeek).flatMap((day, index) => {
    const week = Math.floor(index / daysPerWeek);
    const found = compareDay(aspect, { day, before: poolWeekday(days, index % daysPerWeek, week), margin: 0 });
    return found ? [{ ...found, week }] : [];
  });
}

/** What an account's own days and weeks vary by, and how far each of its days before was off. */
type Usual = { offset: number; dayVariance: number; weekDeviation: number; residuals: readonly Distance[] };

function learnUsual(days: readonly Binned[], aspect: Aspect): Usual | undefined {
  const residuals = listResiduals(days, aspect);
  const weeks = [...Map.groupBy(residuals, ({ week }) => week).values()];
  if (residuals.length < residualsMin || weeks.length < weeksBefore) return undefined;
  // Distances with a sign cancel out; a distance of shapes is above 0 wherever days vary.
  const offset = aspect === "shape" ? Math.max(0, median(residuals.map(({ distance }) => distance))) : 0;
  const middles = weeks.map((week) => median(week.map(({ distance }) => distance - offset)));
  const off = residuals.map(({ distance, week }) => Math.abs(distance - offset - middles[week]!));
  const dayVariance = (madToDeviation * median(off)) ** 2;
  // A week's distance from the three others is 4/3 of that from the mean of all four.
  const shrink = (weeksBefore - 1) / weeksBefore;
  const weekVariance = sum(middles.map((each) => (shrink * each) ** 2)) / (weeks.length - 1);
  const byDays = (medianVariance * shrink * dayVariance * weeks.length) / residuals.length;
  const weekDeviation = Math.sqrt(Math.max(0, weekVariance - byDays) * (1 + 1 / weeksBefore));
  const beyondChance = Math.max(0, dayVariance - median(residuals.map(({ variance }) => variance)));
  return { offset, dayVariance: residualToDay * beyondChance, weekDeviation, residuals };
}

/** The likelihood ratio of a shift, against a day whose distance has a mean of 0 at most and this variance. */
const logRatioOfDay = (distance: number, variance: number): number => (shiftDeviations * distance) / Math.sqrt(variance) - shiftDeviations ** 2 / 2;

function listDays(days: readonly Binned[], aspect: Aspect, margin: number): Distance[] {
  return days.slice(weeksBefore * daysPerWeek).flatMap((day, weekday) => compareDay(aspect, { day, before: poolWeekday(days, weekday, weeksBefore), margin }) ?? []);
}

/** A ratio beyond this adds nothing to what a day counts. */
const logRatioMax = Math.log(2 * dayFactorMax);

/**
 * The log of the evidence that the week's distances in one direction are beyond what is usual. Where days as odd were
 * seen before, a day counts at most as much as they were rare: sites with a campaign every week have odd days.
 */
function weighDays(week: readonly Distance[], { usual, margin, direction }: { usual: Usual; margin: number; direction: 1 | -1 }): number {
  const logRatio = ({ distance, variance }: Distance) => logRatioOfDay(direction * (distance - usual.offset) - margin, variance + usual.dayVariance);
  const seen = usual.residuals.map(logRatio);
  let evidence = startEvidence();
  for (const ratio of week.map((day) => Math.min(logRatioMax, logRatio(day)))) {
    const asOdd = seen.filter((each) => each >= ratio).length;
    evidence = addDay(evidence, asOdd === 0 ? ratio : Math.min(ratio, Math.log(seen.length / asOdd)));
  }
  return evidence.logEvidence;
}

/** The most telling change of one signal, if its part in the evidence alone reaches the threshold. */
export function findChange(days: readonly Binned[]): AspectDrift | undefined {
  let most: (AspectDrift & { logPart: number }) | undefined;
  for (const aspect of aspects) {
    const usual = learnUsual(days, aspect);
    if (!usual) continue;
    const margin = Math.max(distanceMin[aspect], weekDeviationsMax * usual.weekDeviation);
    const week = listDays(days, aspect, margin);
    const directions = aspect === "shape" ? ([1] as const) : ([1, -1] as const);
    for (const direction of directions) {
      const logPart = weighDays(week, { usual, margin, direction }) + Math.log((comparedWeight * aspectWeights[aspect]) / directions.length);
      if (logPart >= logThreshold && logPart > (most?.logPart ?? -Infinity)) most = { aspect, direction, logPart };
    }
  }
  return most && { aspect: most.aspect, direction: most.direction };
}
