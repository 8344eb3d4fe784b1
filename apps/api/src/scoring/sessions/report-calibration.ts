import { type CalibrationReply, goodOutcomes, type Outcome } from "@assay/contract/sessions.ts";
import type { Mode } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { fitRecalibration, type LabelledScore } from "./fit-recalibration.ts";
import { selectLatestOutcomes } from "./sessions.table.ts";

/** The latest outcomes show the present calibration; more would change little. */
const readingDefault = { outcomesMax: 20_000, outcomesPerPage: 2_000 };
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

function describeBand({ count, good, scoreSum }: Band, index: number): CalibrationReply["bands"][number] {
  const span = { from: index * bandPoints, to: (index + 1) * bandPoints, count };
  if (count === 0) return { ...span, mean_score: null, observed: null, interval: null };
  return { ...span, mean_score: rounded(scoreSum / count), observed: rounded(good / count), interval: wilsonInterval(good, count) };
}

export function describeCalibration(sessions: readonly LabelledScore[]): Omit<CalibrationReply, "mode" | "complete"> {
  const good = sessions.filter(({ isGood }) => isGood).length;
  const bad = sessions.length - good;
  const bands = toBands(sessions, ({ score }) => score);
  const isEnough = sessions.length >= recalibrationSessionsMin && good > 0 && bad > 0;
  const fitted = isEnough ? fitRecalibration(sessions) : undefined;
  return {
    sessions: sessions.length,
    good,
    bad,
    bands: bands.map(describeBand),
    calibration_error: sessions.length === 0 ? null : calibrationErrorOf(bands, sessions.length),
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

/** Each session with its last outcome. */
async function readOutcomes(
  store: Store,
  sessions: { accountId: string; mode: Mode },
  { outcomesMax, outcomesPerPage }: typeof readingDefault,
): Promise<{ sessions: LabelledScore[]; complete: boolean }> {
  const last = new Map<string, LabelledScore & { seq: number }>();
  let before: { at: number; session_id: string; seq: number } | undefined;
  for (let left = outcomesMax; left > 0; left -= outcomesPerPage) {
    const limit = Math.min(left, outcomesPerPage);
    const page = await selectLatestOutcomes(store.db, { ...sessions, before, limit }).execute();
    for (const { session_id: id, seq, outcome, service_score: score } of page) {
      if ((last.get(id)?.seq ?? 0) < seq) last.set(id, { seq, score, isGood: goodOutcomes.has(outcome as Outcome) });
    }
    before = page.at(-1);
    if (page.length < limit) return { sessions: [...last.values()], complete: true };
  }
  return { sessions: [...last.values()], complete: false };
}

export async function reportCalibration(store: Store, of: { accountId: string; mode: Mode }, reading = readingDefault): Promise<CalibrationReply> {
  const { sessions, complete } = await readOutcomes(store, of, reading);
  return { mode: of.mode, complete, ...describeCalibration(sessions) };
}
