/**
 * Checks of one day for sessions that are equal, or almost equal. Each bets, block by block, that the sessions to come
 * fall into a set that was chosen from the day's earlier sessions; its null is that no visit of an honest site does so
 * with a probability above p0, whatever was seen before. Decision 21 says where the numbers come from.
 */
import { addTrials, type Bet, logRatioOf, openBet } from "../../money/evidence/bet-on-hits.ts";
import type { DayResult, SignalVector } from "../../money/evidence/day-result.ts";
import { addLogs } from "../../money/evidence/e-process.ts";
import { createVectorHash } from "./find-irregularities.ts";
import { type DayRow, isFinelyStepped, tellingSignals, vectorOf } from "./session-kinds.ts";

/** A visit may be sent to three endpoints, or be repeated: at most so many calls are of one visit. */
const callsPerVisit = 3;

/** The first sessions of a day are only looked at. */
const blockMin = 4;
/** A block is as long as this part of everything before it. */
const blockPart = 8;
const blockMax = 1_000;

/** The most sets that a result names. */
const setsNamedMax = 64;

type Block = { from: number; to: number; lastFrom: number };

/** Blocks that depend on nothing but their position. The first one tested starts after `blockMin` sessions. */
export function* listBlocks(sessions: number): Generator<Block> {
  let lastFrom = 0;
  for (let from = blockMin; from < sessions; ) {
    const to = Math.min(sessions, from + Math.min(blockMax, Math.max(blockMin, Math.floor(from / blockPart))));
    yield { from, to, lastFrom };
    lastFrom = from;
    from = to;
  }
}

type SubTest<Set> = {
  weight: number;
  bet: Bet;
  /** How often each set was hit. */
  hitsOf: Map<Set, number>;
};

const openSubTest = <Set>(weight: number): SubTest<Set> => ({ weight, bet: openBet(), hitsOf: new Map() });

/** The mean of the sub-tests' ratios, and the sub-test with the largest part in it. */
function closeSubTests<Set>(subTests: readonly SubTest<Set>[]) {
  let logRatio = -Infinity;
  let largest = subTests[0]!;
  let logLargest = -Infinity;
  for (const subTest of subTests) {
    const part = Math.log(subTest.weight) + logRatioOf(subTest.bet);
    logRatio = addLogs(logRatio, part);
    if (part <= logLargest) continue;
    logLargest = part;
    largest = subTest;
  }
  const sets = [...largest.hitsOf].toSorted((left, right) => right[1] - left[1]).slice(0, setsNamedMax);
  return { logRatio, tested: largest.bet.tested, hits: largest.bet.hits, sets: sets.map(([set]) => set) };
}

/* Equal sessions */

/** The most that one exact session may make up of an honest site's visits, by the number of its telling signals. */
export const equalShareMax = [0.98, 0.98, 0.97, 0.95, 0.85, 0.85] as const;
/** The most that the few most frequent sessions may make up together, of those that are finely measured. */
export const fewShareMax = 0.95;
const fewTellingMin = 3;

type Known = { hash: number; count: number; telling: number; isFine: boolean };

/** The most frequent ones first; among equally frequent ones the one seen first. */
function findMostFrequent(known: Iterable<Known>, count: number, isWanted = (_: Known) => true): Known[] {
  const most: Known[] = [];
  for (const each of known) {
    if (!isWanted(each)) continue;
    if (most.length === count && each.count <= most[count - 1]!.count) continue;
    let at = most.length;
    while (at > 0 && most[at - 1]!.count < each.count) at -= 1;
    most.splice(at, 0, each);
    if (most.length > count) most.pop();
  }
  return most;
}

function checkEqual(rows: readonly DayRow[]): DayResult {
  const hashOf = createVectorHash();
  const hashes = Float64Array.from(rows, hashOf);
  const firstRowOf = new Map<number, DayRow>();
  const knownOf = new Map<number, Known>();
  const top = openSubTest<number>(0.5);
  const latest = openSubTest<number>(0.2);
  const few = [
    { size: 4, subTest: openSubTest<number>(0.15) },
    { size: 16, subTest: openSubTest<number>(0.15) },
  ];
  const count = (known: Map<number, Known>, at: number) => {
    const hash = hashes[at]!;
    const found = known.get(hash);
    if (found) {
      found.count += 1;
      return;
    }
    const vector = vectorOf(rows[at]!);
    if (known === knownOf) firstRowOf.set(hash, rows[at]!);
    known.set(hash, { hash, count: 1, telling: tellingSignals(vector), isFine: isFinelyStepped(vector) });
  };
  const bet = (subTest: SubTest<number>, sets: readonly Known[], block: { from: number; to: number; p0: number }) => {
    if (sets.length === 0) return;
    let hits = 0;
    for (let at = block.from; at < block.to; at += 1) {
      const hash = hashes[at]!;
      if (!sets.some((each) => each.hash === hash)) continue;
      hits += 1;
      subTest.hitsOf.set(hash, (subTest.hitsOf.get(hash) ?? 0) + 1);
    }
    addTrials(subTest.bet, { tested: block.to - block.from, hits, p0: block.p0, perVisit: callsPerVisit });
  };
  let counted = 0;
  for (const { from, to, lastFrom } of listBlocks(rows.length)) {
    for (; counted < from; counted += 1) count(knownOf, counted);
    const lastKnown = new Map<number, Known>();
    for (let at = lastFrom; at < from; at += 1) count(lastKnown, at);
    for (const [subTest, known] of [[top, knownOf], [latest, lastKnown]] as const) {
      const [candidate] = findMostFrequent(known.values(), 1);
      bet(subTest, [candidate!], { from, to, p0: equalShareMax[candidate!.telling]! });
    }
    const fine = findMostFrequent(knownOf.values(), 16, ({ telling, isFine }) => isFine && telling >= fewTellingMin);
    for (const { size, subTest } of few) bet(subTest, fine.slice(0, size), { from, to, p0: fewShareMax });
  }
  const { sets, ...result } = closeSubTests([top, latest, ...few.map(({ subTest }) => subTest)]);
  return { check: "exact_duplicates", ...result, detail: { kind: "vectors", vectors: sets.map((hash) => vectorOf(firstRowOf.get(hash)!)) } };
}

/* Almost equal sessions */

/** The most that one box may hold of an honest site's visits, by the number of telling signals of its centre; fewer than two are not tested. */
export const boxShareMax = [1, 1, 0.98, 0.97, 0.95, 0.95] as const;
const boxTellingMin = 2;
/** Half the width of a box: a part of the centre's value, but at least so much, in the order of `signalNames`. */
const boxPart = 0.15;
const boxMin = [0.02, 1, 0.02, 1, 1] as const;
/** The centre is chosen among this many of the earlier sessions. */
const centreSample = 32;

/** Whether a session lies in the box around a centre. An absent signal is only near an absent one; return_visitor does not matter. */
export function isInBox(vector: SignalVector, centre: SignalVector): boolean {
  for (let index = 0; index < boxMin.length; index += 1) {
    const value = vector[index]!;
    const middle = centre[index]!;
    if (value === null || middle === null) {
      if (value !== middle) return false;
    } else if (Math.abs(value - middle) > Math.max(boxMin[index]!, boxPart * middle)) return false;
  }
  return true;
}

/** The session with the most others in its box, moved to the middle of those. */
function chooseCentre(sample: readonly SignalVector[]): SignalVector {
  let most: SignalVector[] = [];
  for (const centre of sample) {
    const inside = sample.filter((vector) => isInBox(vector, centre));
    if (inside.length > most.length) most = inside;
  }
  return most[0]!.map((value, index) => {
    if (value === null || index >= boxMin.length) return null;
    const values = most.map((vector) => vector[index]!).toSorted((left, right) => left - right);
    return values[Math.floor(values.length / 2)]!;
  });
}

/** Evenly spread over a range. */
const sampleRange = (vectors: readonly SignalVector[], range: { from: number; to: number }): SignalVector[] => {
  const sessions = range.to - range.from;
  const count = Math.min(sessions, centreSample);
  return Array.from({ length: count }, (_, index) => vectors[range.from + Math.floor((index * sessions) / count)]!);
};

function checkNear(rows: readonly DayRow[]): DayResult {
  const vectors = rows.map(vectorOf);
  const all = openSubTest<SignalVector>(0.6);
  const latest = openSubTest<SignalVector>(0.4);
  const bet = (subTest: SubTest<SignalVector>, sample: readonly SignalVector[], block: { from: number; to: number }) => {
    const centre = chooseCentre(sample);
    const telling = tellingSignals(centre);
    if (telling < boxTellingMin) return;
    let hits = 0;
    for (let at = block.from; at < block.to; at += 1) if (isInBox(vectors[at]!, centre)) hits += 1;
    if (hits > 0) subTest.hitsOf.set(centre, hits);
    addTrials(subTest.bet, { tested: block.to - block.from, hits, p0: boxShareMax[telling]!, perVisit: callsPerVisit });
  };
  for (const block of listBlocks(rows.length)) {
    bet(all, sampleRange(vectors, { from: 0, to: block.from }), block);
    bet(latest, sampleRange(vectors, { from: Math.max(0, block.from - centreSample), to: block.from }), block);
  }
  const { sets, ...result } = closeSubTests([all, latest]);
  return { check: "near_duplicates", ...result, detail: { kind: "boxes", centres: sets } };
}

/** Checks one complete day of an account's live sessions, oldest first. Any part of them will do that was chosen without regard to the signals. */
export const checkDay = (rows: readonly DayRow[]): DayResult[] => [checkEqual(rows), checkNear(rows)];
