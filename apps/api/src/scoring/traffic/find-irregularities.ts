import type { Finding } from "@assay/contract/traffic.ts";
import type { Artefact } from "@assay/scoring/artefact.ts";
import { type SignalName, signalNames } from "@assay/scoring/signals.ts";
import { setImmediate } from "node:timers/promises";
import type { SessionRecordRow } from "../../store/schema.ts";

export type CheckedRow = Pick<SessionRecordRow, SignalName | "at">;
export type People = Artefact["people"];

/*
 * Each check has a statistic between 0 and 1 that stays far below its threshold in honest traffic. The tests simulate
 * honest traffic, and the thresholds leave room for what the training sources show.
 */

/** Fewer sessions are not evidence. */
const sessionsMin = 50;
/** Comparing distributions needs more. */
const sessionsMinForShape = 100;

/** Shorter sessions of different people look alike. */
const tellingSecondsMin = 10;
/** Two people rarely produce the same vector of this many signals; with fewer signals it happens. */
const tellingSignalsMin = 4;
const frequentShareMin = 0.02;
const frequentCountMin = 5;
const duplicatesShareMin = 0.4;

/** Shorter gaps come from a server that sends a queue, and are not evidence about visitors. */
const gapMsMin = 100;
/** Gaps within this ratio count as equal. */
const gapRatioMax = 1.1;
const equalGapsShareMin = 0.3;

const unlikeDistanceMin = 0.75;

/** Shorter durations are often multiples of ten by chance. */
const roundSecondsMin = 30;
const roundSeconds = 10;
const roundShareMin = 0.35;

const percent = (share: number) => `${Math.round(share * 100)}%`;
const rounded = (share: number) => Math.round(share * 10_000) / 10_000;

const makeFinding = (code: Finding["code"], share: number, message: string): Finding => ({ code, message, share: rounded(share) });

/** A 53-bit hash of the signals. Strings as keys would take ten times as long. */
export function createVectorHash(): (row: Pick<CheckedRow, SignalName>) => number {
  const values = new Float64Array(signalNames.length);
  const words = new Uint32Array(values.buffer);
  return (row) => {
    // -1 marks an absent signal: none is below 0.
    for (let index = 0; index < values.length; index += 1) values[index] = row[signalNames[index]!] ?? -1;
    let high = 0x811c9dc5;
    let low = 0x1b873593;
    for (const word of words) {
      high = Math.imul(high ^ word, 0x01000193);
      high ^= high >>> 15;
      low = Math.imul(low ^ word, 0x85ebca6b);
      low ^= low >>> 13;
    }
    return (high >>> 0) * 2 ** 21 + (low >>> 11);
  };
}

const countSignals = (row: CheckedRow) => signalNames.reduce((count, name) => count + Number(row[name] !== null), 0);

function findDuplicates(rows: readonly CheckedRow[]): Finding | undefined {
  const hashOf = createVectorHash();
  const counts = new Map<number, { count: number; signals: number }>();
  let telling = 0;
  for (const row of rows) {
    if ((row.session_duration ?? 0) < tellingSecondsMin) continue;
    telling += 1;
    const vector = hashOf(row);
    const known = counts.get(vector);
    if (known) known.count += 1;
    else counts.set(vector, { count: 1, signals: countSignals(row) });
  }
  if (telling < sessionsMin) return undefined;
  const frequentMin = Math.max(frequentCountMin, frequentShareMin * telling);
  let repeated = 0;
  for (const { count, signals } of counts.values()) {
    if (count >= (signals >= tellingSignalsMin ? 2 : frequentMin)) repeated += count;
  }
  const share = repeated / telling;
  if (share < duplicatesShareMin) return undefined;
  return makeFinding("exact_duplicates", share, `${percent(share)} of the sessions are exact copies of others, in every signal that was sent.`);
}

/** `rows` oldest first. */
function findRegularIntervals(rows: readonly CheckedRow[]): Finding | undefined {
  if (rows.length < sessionsMin) return undefined;
  const gaps = rows.slice(1).map((row, index) => row.at - rows[index]!.at);
  const long = Float64Array.from(gaps.filter((gap) => gap >= gapMsMin)).toSorted();
  let most = 0;
  for (let from = 0, to = 0; to < long.length; to += 1) {
    while (long[to]! > long[from]! * gapRatioMax) from += 1;
    most = Math.max(most, to - from + 1);
  }
  const share = most / gaps.length;
  if (share < equalGapsShareMin) return undefined;
  const message = `${percent(share)} of the sessions follow the one before after the same time; people arrive irregularly.`;
  return makeFinding("regular_intervals", share, message);
}

/**
 * The largest excess share of sessions on one side of a decile of the training people. Where many people share a value,
 * the deciles only bound their share, and so does this distance.
 */
export function distanceFromPeople(values: readonly number[], deciles: readonly number[]): number {
  const last = deciles.length - 1;
  let distance = 0;
  for (const decile of new Set(deciles)) {
    let below = 0;
    let above = 0;
    for (const value of values) {
      if (value < decile) below += 1;
      else if (value > decile) above += 1;
    }
    const tooManyBelow = below / values.length - deciles.indexOf(decile) / last;
    const tooManyAbove = above / values.length - (1 - deciles.lastIndexOf(decile) / last);
    distance = Math.max(distance, tooManyBelow, tooManyAbove);
  }
  return distance;
}

/** The signal with the largest distance. return_visitor is left out: it differs too much between sites. */
function findUnlikePeople(rows: readonly CheckedRow[], people: People): Finding | undefined {
  const distances = signalNames.flatMap((name) => {
    const deciles = name === "return_visitor" ? undefined : people[name];
    const values = rows.map((row) => row[name]).filter((value) => value !== null);
    return deciles && values.length >= sessionsMinForShape ? [{ name, distance: distanceFromPeople(values, deciles) }] : [];
  });
  const furthest = distances.toSorted((left, right) => right.distance - left.distance)[0];
  if (!furthest || furthest.distance < unlikeDistanceMin) return undefined;
  const { name, distance } = furthest;
  return makeFinding("unlike_people", distance, `${name} is distributed unlike people's: ${percent(distance)} of the sessions are out of place.`);
}

function findRoundNumbers(rows: readonly CheckedRow[]): Finding | undefined {
  const durations = rows.map((row) => row.session_duration ?? 0).filter((seconds) => seconds >= roundSecondsMin);
  if (durations.length < sessionsMin) return undefined;
  const share = durations.filter((seconds) => seconds % roundSeconds === 0).length / durations.length;
  if (share < roundShareMin) return undefined;
  const message =
    `${percent(share)} of the durations are multiples of ten seconds; a clock gives 10%. ` +
    "Durations rounded before sending look the same.";
  return makeFinding("round_numbers", share, message);
}

const checks = [findDuplicates, findRegularIntervals, findUnlikePeople, findRoundNumbers];

/** `rows` oldest first. Yields to other calls between the checks. */
export async function findIrregularities(rows: readonly CheckedRow[], people: People): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const check of checks) {
    const finding = check(rows, people);
    if (finding) found.push(finding);
    await setImmediate();
  }
  return found;
}
