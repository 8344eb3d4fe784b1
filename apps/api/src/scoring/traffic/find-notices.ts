/**
 * Patterns that honest sites can have too: queues, cron jobs, backlogs and coarse instruments are honest. An operator
 * sees them; they never hold money.
 */
import { type SignalName, signalNames } from "@assay/scoring/signals.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import type { SessionRecordRow } from "../../store/schema.ts";
import { createVectorHash, distanceFromPeople, findIrregularities, type People } from "./find-irregularities.ts";
import { isFine, tellingSignals, vectorOf } from "./session-kinds.ts";
import { atPrecision, type SessionSummary } from "./session-summary.ts";
import type { NetworkDay } from "./sum-up-networks.ts";

export type NoticedRow = Pick<SessionRecordRow, SignalName | "at">;

export const noticeCodes = [
  "regular_intervals",
  "round_numbers",
  "unlike_people",
  "sudden_change",
  "no_rhythm",
  "like_published_quantiles",
  "surge",
  "repeated_sessions",
  "few_networks",
] as const;

export type Notice = { code: (typeof noticeCodes)[number]; statistic: number; message: string };

/**
 * A day's live sessions, or a sample of them, oldest first, and how many there were; the 7 days before it, and how many
 * of those had sessions; where attested calls came from, if there were any.
 */
export type NoticedDay = {
  rows: readonly NoticedRow[];
  sessions: number;
  before: { summary: SessionSummary; days: number };
  networks: NetworkDay | undefined;
};

const percent = (share: number) => `${Math.round(share * 100)}%`;
const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

const changeSessionsMin = 200;
const changeDistanceMin = 0.3;

/** The largest difference between the shares of sessions up to a value, in two counts of a signal's values. */
function distanceBetween(one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>, totals: { one: number; other: number }): number {
  const values = [...new Set([...one.keys(), ...other.keys()])].toSorted((left, right) => left - right);
  let difference = 0;
  let distance = 0;
  for (const value of values) {
    difference += (one.get(value) ?? 0) / totals.one - (other.get(value) ?? 0) / totals.other;
    distance = Math.max(distance, Math.abs(difference));
  }
  return distance;
}

/** By the signals: scores also change when the developer pins another model, or switches a calibration on. */
function findSuddenChange({ rows, before }: NoticedDay): Notice | undefined {
  let furthest: { name: SignalName; distance: number } | undefined;
  for (const name of signalNames) {
    const week = before.summary.signals[name];
    const counts = new Map<number, number>();
    const values = rows.flatMap((row) => row[name] ?? []);
    if (values.length < changeSessionsMin || week.present < changeSessionsMin) continue;
    for (const value of values) counts.set(atPrecision(name, value), (counts.get(atPrecision(name, value)) ?? 0) + 1);
    const distance = distanceBetween(counts, week.counts, { one: values.length, other: week.present });
    if (!furthest || distance > furthest.distance) furthest = { name, distance };
  }
  if (!furthest || furthest.distance < changeDistanceMin) return undefined;
  const { name, distance } = furthest;
  return { code: "sudden_change", statistic: rounded(distance), message: `The sessions differ from those of the week before: by ${name}, ${percent(distance)} of them have moved.` };
}

const rhythmSessionsMin = 240;
const hoursPerDay = msPerDay / msPerHour;
const rhythmMin = 0.03;

/** The variance of the hours' rates around their mean, less what chance adds: 0.5 for a wave between nothing and twice the mean. */
function findNoRhythm({ rows }: NoticedDay): Notice | undefined {
  if (rows.length < rhythmSessionsMin) return undefined;
  // A part of a day says nothing of its rhythm.
  if (rows.at(-1)!.at - rows[0]!.at < msPerDay - 2 * msPerHour) return undefined;
  const counts = new Float64Array(hoursPerDay);
  for (const { at } of rows) counts[Math.floor((at % msPerDay) / msPerHour)]! += 1;
  const mean = rows.length / hoursPerDay;
  const chiSquare = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
  const rhythm = (chiSquare - (hoursPerDay - 1)) / rows.length;
  if (rhythm >= rhythmMin) return undefined;
  return { code: "no_rhythm", statistic: rounded(rhythm), message: `${rows.length} sessions came evenly over the 24 hours; people sleep.` };
}

const quantileSessionsMin = 500;
const quantileSignalsMin = 3;
/** Rounding alone moves an invented signal so far from the published shares. */
const quantileRounding = 0.03;
/** Chance moves one of several signals further than this, divided by √n, once in a hundred times. */
const quantileChance = 1.6;

/** Whether every signal lies as near to the published deciles as if it were drawn from them. No site of people does. */
function findPublishedQuantiles({ rows }: NoticedDay, people: People): Notice | undefined {
  if (rows.length < quantileSessionsMin) return undefined;
  let furthest = 0;
  let compared = 0;
  for (const name of signalNames) {
    const deciles = name === "return_visitor" ? undefined : people[name];
    const values = rows.map((row) => row[name]).filter((value) => value !== null);
    if (!deciles || values.length < quantileSessionsMin) continue;
    compared += 1;
    furthest = Math.max(furthest, distanceFromPeople(values, deciles) - quantileChance / Math.sqrt(values.length));
  }
  if (compared < quantileSignalsMin || furthest > quantileRounding) return undefined;
  const message = `${compared} signals are distributed like the published deciles of all training sites together; a single site differs from them.`;
  return { code: "like_published_quantiles", statistic: rounded(Math.max(0, furthest)), message };
}

const surgeSessionsMin = 300;
const surgeRatioMin = 3;
/** Below this many sessions a day, growth is not a surge. */
const surgeBaseMin = 50;

function findSurge({ sessions, before }: NoticedDay): Notice | undefined {
  if (before.days === 0 || sessions < surgeSessionsMin) return undefined;
  const usual = Math.max(surgeBaseMin, before.summary.sessions / before.days);
  const ratio = sessions / usual;
  if (ratio < surgeRatioMin) return undefined;
  return { code: "surge", statistic: rounded(ratio), message: `${sessions} sessions are ${ratio.toFixed(1)} times a usual day of the week before.` };
}

const repeatedSessionsMin = 50;
const repeatedShareMin = 0.2;
const repeatedTellingMin = 3;

function findRepeated({ rows }: NoticedDay): Notice | undefined {
  const hashOf = createVectorHash();
  const counts = new Map<number, number>();
  let fine = 0;
  for (const row of rows) {
    const vector = vectorOf(row);
    if (!isFine(vector) || tellingSignals(vector) < repeatedTellingMin) continue;
    fine += 1;
    const hash = hashOf(row);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  if (fine < repeatedSessionsMin) return undefined;
  let repeated = 0;
  for (const count of counts.values()) if (count > 1) repeated += count;
  const share = repeated / fine;
  if (share < repeatedShareMin) return undefined;
  const message =
    `${percent(share)} of the ${fine} finely measured sessions occur more than once. ` +
    "One visit that is sent to several endpoints, or sent again, looks the same.";
  return { code: "repeated_sessions", statistic: rounded(share), message };
}

const networkCallsMin = 200;
const networkShareMax = 0.5;

/** An office, a school or a carrier can be one network, so this is never evidence. */
function findFewNetworks({ networks }: NoticedDay): Notice | undefined {
  if (!networks || networks.calls < networkCallsMin) return undefined;
  const { calls, topCalls, parts } = networks;
  const share = topCalls / calls;
  if (share <= networkShareMax) return undefined;
  const where = parts === 1 ? "one network" : `the most frequent network that each of ${parts} processes saw`;
  return { code: "few_networks", statistic: rounded(share), message: `${percent(share)} of ${calls} attested calls came from ${where}.` };
}

/** Yields to other work between the checks. */
export async function findNotices(day: NoticedDay, people: People): Promise<Notice[]> {
  const notices: Notice[] = [];
  for (const { code, share, message } of await findIrregularities(day.rows, people)) {
    // Copies are what the check for duplicates is about.
    if (code !== "exact_duplicates") notices.push({ code, statistic: share, message });
  }
  for (const find of [findSuddenChange, findNoRhythm, findPublishedQuantiles, findSurge, findRepeated, findFewNetworks]) {
    const notice = find(day, people);
    if (notice) notices.push(notice);
  }
  return notices;
}
