import { isoTime, msPerDay } from "../../apps/api/src/formats/time.ts";
import { addDay, type CheckName, type Evidence, logEvidenceThreshold, startEvidence, weighChecks } from "../../apps/api/src/money/evidence/e-process.ts";
import { findGrants } from "../../apps/api/src/money/growth/find-grants.ts";
import { createCandidates, createRepeats } from "../../apps/api/src/scoring/traffic/count-repeats.ts";
import { repeatedMaxOf } from "../../apps/api/src/scoring/traffic/find-unexamined.ts";
import { checkDay } from "../../apps/api/src/scoring/traffic/check-duplicates.ts";
import { markOf } from "../../apps/api/src/scoring/traffic/check-shared.ts";
import { perCallMicroUsd } from "../../apps/api/test/money/make-earner.ts";
import type { DayRow as CheckedVisit } from "../../apps/api/src/scoring/traffic/session-kinds.ts";
import { openHonestAccount, type Rhythm } from "./honest-accounts.ts";
import { simulationStartMs } from "./run-installation.ts";
import type { Visit } from "./visit.ts";

export type HonestShare = { from: number; step: number; accounts: number; days: number; seed: number };

export type HonestResult = {
  index: number;
  kind: string;
  sessions: number;
  earnedMicroUsd: number;
  /** The largest evidence ever, as a logarithm. */
  logEvidenceMax: number;
  /** Each check's evidence after the last day. */
  logEvidenceOf: Map<CheckName, number>;
  /** The first day whose end would have held its money, and the check with the largest part in it. */
  heldOnDay: number | undefined;
  heldBy: CheckName | undefined;
  marks: Float64Array;
  /** How many months the money waited longest that the growth rule made wait; Infinity: to the end. */
  delayMonths: number;
  /** What waits for a review in the end. */
  waitingMicroUsd: number;
  /** Whether the growth rule promises not to delay it: at most 350 USD in the first month, and no month beyond twice the best before it. */
  isPromised: boolean;
  /** Days with calls, and those of which something waits because one exact session was sent too often. */
  callDays: number;
  repeatedDays: number;
  /** Whether it waited before it had earned ten times that. */
  isDelayedEarly: boolean;
};

const unreviewedMonthlyMicroUsd = 350_000_000;
const unreviewedTotalFactor = 10;

/** The months of the simulation, each with its end. */
function listMonths(days: number): { name: string; endMs: number }[] {
  const first = new Date(simulationStartMs);
  const endMs = simulationStartMs + days * msPerDay;
  const months = [];
  for (let month = 0; ; month += 1) {
    const startMs = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month);
    if (startMs >= endMs) return months;
    months.push({ name: isoTime(startMs).slice(0, "YYYY-MM".length), endMs: Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month + 1) });
  }
}

/** What the growth rule makes of an account that nobody ever reviews. */
function findDelay(earnedByMonth: ReadonlyMap<string, number>, { days, firstEarnedMs }: { days: number; firstEarnedMs: number | undefined }) {
  const months = listMonths(days);
  const grants = findGrants([{ accountId: "honest", confirmedByMonth: earnedByMonth, firstEarnedMs, reviews: [] }], { months, unreviewedMonthlyMicroUsd, earlierOf: new Map() }).get("honest")!;
  let [earned, best, longest, isPromised, isDelayedEarly] = [0, 0, 0, true, false];
  const grantedUpTo: number[] = [];
  for (const { grantedMicroUsd } of grants.months) grantedUpTo.push((grantedUpTo.at(-1) ?? 0) + grantedMicroUsd);
  for (const [month, { confirmedMicroUsd }] of grants.months.entries()) {
    if (confirmedMicroUsd > (month === 0 ? unreviewedMonthlyMicroUsd : Math.max(unreviewedMonthlyMicroUsd, 2 * best))) isPromised = false;
    best = Math.max(best, confirmedMicroUsd);
    earned += confirmedMicroUsd;
    const paidIn = grantedUpTo.findIndex((granted) => granted >= earned);
    const waited = paidIn === -1 ? Number.POSITIVE_INFINITY : paidIn - month;
    if (waited > 0 && earned <= unreviewedTotalFactor * unreviewedMonthlyMicroUsd) isDelayedEarly = true;
    longest = Math.max(longest, waited);
  }
  return { earned, isPromised, isDelayedEarly, delayMonths: longest, waitingMicroUsd: grants.waitingMicroUsd };
}

/** Turns what an account sends on a day into rows. The checks look at them in the order of a hash of their ids. */
export type ToRows = (visits: readonly Visit[], day: number, rhythm: Rhythm) => CheckedVisit[];

/** Short ids, which are quick to make, and one shape for all rows, as the store has: anything else would make the checks slower than they are. */
const toRowsQuickly: ToRows = (visits, day) =>
  visits.map((visit, index) => ({
    id: `${day}-${index}`,
    user_engagement: visit.user_engagement,
    session_duration: visit.session_duration,
    scroll_depth: visit.scroll_depth,
    interaction_count: visit.interaction_count,
    page_views: visit.page_views,
    return_visitor: visit.return_visitor,
  }));

/** Whether a part of the day would wait as `repeated_session`. */
function hasRepeats(rows: readonly CheckedVisit[]): boolean {
  const asserted = rows.map((row) => ({ ...row, attested: null }));
  const candidates = createCandidates();
  for (const row of asserted) candidates.add(row);
  const repeats = createRepeats(candidates.hashes());
  for (const row of asserted) repeats.add(row);
  return repeats.above(repeatedMaxOf(rows.length)).length > 0;
}

export function simulateHonestAccount(index: number, { days, seed, toRows = toRowsQuickly }: { days: number; seed: number; toRows?: ToRows }): HonestResult {
  const account = openHonestAccount(index, seed);
  const evidence = new Map<CheckName, Evidence>();
  const logEvidenceOf = new Map<CheckName, number>();
  const earnedByMonth = new Map<string, number>();
  const marks: number[] = [];
  let [callDays, repeatedDays] = [0, 0];
  let firstEarnedMs: number | undefined;
  let sessions = 0;
  let logEvidenceMax = Number.NEGATIVE_INFINITY;
  let heldOnDay: number | undefined;
  let heldBy: CheckName | undefined;
  for (let day = 0; day < days; day += 1) {
    const rows = toRows(account.nextDay(), day, account.kind.rhythm);
    if (rows.length === 0) continue;
    sessions += rows.length;
    callDays += 1;
    repeatedDays += Number(hasRepeats(rows));
    firstEarnedMs ??= simulationStartMs + day * msPerDay;
    const month = isoTime(simulationStartMs + day * msPerDay).slice(0, "YYYY-MM".length);
    earnedByMonth.set(month, (earnedByMonth.get(month) ?? 0) + rows.length * perCallMicroUsd);
    for (const { check, logRatio } of checkDay(rows)) {
      const after = addDay(evidence.get(check) ?? startEvidence(), logRatio);
      evidence.set(check, after);
      logEvidenceOf.set(check, after.logEvidence);
    }
    for (const mark of new Set(rows.map(markOf))) if (mark !== undefined) marks.push(mark);
    const logEvidence = weighChecks(logEvidenceOf);
    logEvidenceMax = Math.max(logEvidenceMax, logEvidence);
    if (heldOnDay === undefined && logEvidence >= logEvidenceThreshold) {
      heldOnDay = day;
      heldBy = [...logEvidenceOf].toSorted((left, right) => right[1] - left[1])[0]![0];
    }
  }
  const { earned, ...delay } = findDelay(earnedByMonth, { days, firstEarnedMs });
  return { index, kind: account.kind.name, sessions, earnedMicroUsd: earned, logEvidenceMax, logEvidenceOf, heldOnDay, heldBy, marks: Float64Array.from(marks), callDays, repeatedDays, ...delay };
}
