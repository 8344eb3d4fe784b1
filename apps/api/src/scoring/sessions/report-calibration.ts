import type { CalibrationReply } from "@assay/contract/sessions.ts";
import { expectedCalibrationErrorOf } from "@assay/scoring/measure.ts";
import type { Mode } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { fitRecalibration, type LabelledScore } from "./fit-recalibration.ts";
import { readingDefault, readOutcomes } from "./read-outcomes.ts";

const bandCount = 10;
const bandPoints = 10;
export const recalibrationSessionsMin = 50;

/** The normal quantile of a 95 % interval. */
const z = 1.959964;

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** Wilson score interval: also sound for small counts and for none or all good. */
export function wilsonInterval(good: number, count: number): [low: number, high: number] {
  const observed = good / count;
  const weight = z ** 2 / count;
  const middle = (observed + weight / 2) / (1 + weight);
  const reach = (z / (1 + weight)) * Math.sqrt((observed * (1 - observed)) / count + weight / (4 * count));
  return [rounded(Math.max(0, middle - reach)), rounded(Math.min(1, middle + reach))];
}

type Band = { count: number; good: number; scoreSum: number };

function toBands(sessions: readonly LabelledScore[], scoreOf: (session: LabelledScore) => number): Band[] {
  const bands = Array.from({ length: bandCount }, () => ({ count: 0, good: 0, scoreSum: 0 }));
  for (const session of sessions) {
    const score = scoreOf(session);
    const band = bands[Math.min(bandCount - 1, Math.floor(score / bandPoints))]!;
    band.count += 1;
    band.good += Number(session.isGood);
    band.scoreSum += score;
  }
  return bands;
}

/** Expected calibration error: |mean score − good share| per band, weighted by sessions. */
function calibrationErrorOf(bands: readonly Band[], sessions: number): number {
  const errors = bands.map(({ count, good, scoreSum }) => (count === 0 ? 0 : Math.abs(scoreSum / 100 - good)));
  return rounded(errors.reduce((sum, error) => sum + error, 0) / sessions);
}

type Totals = { good: number; bad: number };

/** The share of good outcomes if as many good as bad ones were reported; null if all are of one kind. */
const balancedShare = (band: Totals, all: Totals): number | null => {
  const [good, bad] = [band.good / all.good, band.bad / all.bad];
  return all.good === 0 || all.bad === 0 ? null : rounded(good / (good + bad));
};

function describeBand({ count, good, scoreSum }: Band, index: number, totals: Totals): CalibrationReply["bands"][number] {
  const span = { from: index * bandPoints, to: (index + 1) * bandPoints, count };
  if (count === 0) return { ...span, mean_score: null, observed: null, balanced: null, interval: null };
  const balanced = balancedShare({ good, bad: count - good }, totals);
  return { ...span, mean_score: rounded(scoreSum / count), observed: rounded(good / count), balanced, interval: wilsonInterval(good, count) };
}

/** What a score claims: a probability at a prior of one half. */
const balancedErrorOf = (sessions: readonly LabelledScore[]): number =>
  rounded(expectedCalibrationErrorOf(sessions.map(({ score }) => score / 100), sessions.map(({ isGood }) => Number(isGood)), { prior: 0.5 }));

export function describeCalibration(sessions: readonly LabelledScore[]): Omit<CalibrationReply, "mode" | "complete" | "account_calibrated"> {
  const good = sessions.filter(({ isGood }) => isGood).length;
  const bad = sessions.length - good;
  const bands = toBands(sessions, ({ score }) => score);
  const isEnough = sessions.length >= recalibrationSessionsMin && good > 0 && bad > 0;
  const fitted = isEnough ? fitRecalibration(sessions) : undefined;
  return {
    sessions: sessions.length,
    good,
    bad,
    bands: bands.map((band, index) => describeBand(band, index, { good, bad })),
    calibration_error: sessions.length === 0 ? null : calibrationErrorOf(bands, sessions.length),
    balanced_error: good === 0 || bad === 0 ? null : balancedErrorOf(sessions),
    minimum_sessions: recalibrationSessionsMin,
    recalibration: fitted
      ? {
          slope: rounded(fitted.slope),
          intercept: rounded(fitted.intercept),
          points: Array.from({ length: 11 }, (_, step) => ({ score: step * 10, suggested: Math.round(fitted.suggest(step * 10) * 10) / 10 })),
          calibration_error: calibrationErrorOf(toBands(sessions, ({ score }) => fitted.suggest(score)), sessions.length),
        }
      : null,
  };
}

export async function reportCalibration(store: Store, of: { accountId: string; mode: Mode }, reading = readingDefault): Promise<CalibrationReply> {
  const { sessions, complete } = await readOutcomes(store, of, reading);
  const ownScores = sessions.filter(({ calibration }) => calibration !== null).length;
  return { mode: of.mode, complete, account_calibrated: ownScores, ...describeCalibration(sessions) };
}
