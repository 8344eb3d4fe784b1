/**
 * Checks of one day for sessions that are equal, or almost equal. Each takes the day's sessions in a random order and
 * bets, block by block, that the next ones fall into a set that was chosen from those before. Its null is that no visit
 * of an honest site does so with a probability above p0. Decision 21 says why, and where the numbers come from.
 */
import { signalNames } from "@assay/scoring/signals.ts";
import { addTrials, type Bet, logRatioOf, openBet } from "../../money/evidence/bet-on-hits.ts";
import type { DayResult, SignalVector } from "../../money/evidence/day-result.ts";
import { addLogs } from "../../money/evidence/e-process.ts";
import { createVectorHash } from "./find-irregularities.ts";
import { type DayRow, isFinelyStepped, tellingSignals, vectorOf } from "./session-kinds.ts";

/** A visit may be sent to three endpoints, or be sent again: so many calls may be of one visit. */
const callsPerVisit = 3;

/** The first sessions are only looked at. */
const blockMin = 4;
/** A block is as long as this part of everything before it. */
const blockPart = 4;

type Block = { from: number; to: number };

/** Blocks that depend on nothing but their position. */
export function* listBlocks(sessions: number): Generator<Block> {
  for (let from = blockMin; from < sessions; ) {
    const to = Math.min(sessions, from + Math.max(blockMin, Math.floor(from / blockPart)));
    yield { from, to };
    from = to;
  }
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The order of sending is the developer's, who may sort. The hash of an id that the service made is as good as chance. */
export function shuffle(rows: readonly DayRow[]): DayRow[] {
  const hashes = rows.map(({ id }) => hashText(id));
  const order = Uint32Array.from(rows.keys()).toSorted((left, right) => hashes[left]! - hashes[right]! || left - right);
  return Array.from(order, (index) => rows[index]!);
}

/* Equal sessions */

/** The most that one exact session makes up of an honest site's visits, by the number of its telling signals. */
export const equalShareMax = [0.98, 0.98, 0.97, 0.95, 0.85, 0.85] as const;
/** The most that the few most frequent finely measured sessions make up together. */
export const fewShareMax = 0.95;
const fewTellingMin = 3;
/** How many the few are, and the weights of these bets and of that on the single most frequent session. They sum to 1. */
const fewSizes = [4, 16, 64] as const;
const topWeight = 0.6;
const fewWeights = [0.1, 0.15, 0.15] as const;

type Known = { hash: number; count: number; row: DayRow; telling: number; isFine: boolean };

/** The most frequent ones first; among equally frequent ones the one seen first. */
function findMostFrequent(known: Iterable<Known>, count: number): Known[] {
  const most: Known[] = [];
  for (const each of known) {
    if (most.length === count && each.count <= most[count - 1]!.count) continue;
    let at = most.length;
    while (at > 0 && most[at - 1]!.count < each.count) at -= 1;
    most.splice(at, 0, each);
    if (most.length > count) most.pop();
  }
  return most;
}

function countHits(hashes: Float64Array, sets: readonly Known[], { from, to }: Block): number {
  const wanted = new Set(sets.map(({ hash }) => hash));
  let hits = 0;
  for (let at = from; at < to; at += 1) hits += Number(wanted.has(hashes[at]!));
  return hits;
}

/** `rows` in random order. */
function checkEqual(rows: readonly DayRow[]): DayResult {
  const hashes = Float64Array.from(rows, createVectorHash());
  const knownOf = new Map<number, Known>();
  const fine = new Set<Known>();
  const bets = [
    { weight: topWeight, bet: openBet(), size: 1 },
    ...fewSizes.map((size, index) => ({ weight: fewWeights[index]!, bet: openBet(), size })),
  ];
  let counted = 0;
  const countUntil = (end: number) => {
    for (; counted < end; counted += 1) {
      const hash = hashes[counted]!;
      const found = knownOf.get(hash);
      if (found) {
        found.count += 1;
        continue;
      }
      const row = rows[counted]!;
      const vector = vectorOf(row);
      const known: Known = { hash, count: 1, row, telling: tellingSignals(vector), isFine: isFinelyStepped(vector) };
      knownOf.set(hash, known);
      if (known.isFine && known.telling >= fewTellingMin) fine.add(known);
    }
  };
  const findSets = () => {
    const top = findMostFrequent(knownOf.values(), 1);
    const few = findMostFrequent(fine, fewSizes.at(-1)!);
    return bets.map(({ size }) => (size === 1 ? top : few.slice(0, size)));
  };
  for (const block of listBlocks(rows.length)) {
    countUntil(block.from);
    for (const [index, sets] of findSets().entries()) {
      if (sets.length === 0) continue;
      const p0 = index === 0 ? equalShareMax[sets[0]!.telling]! : fewShareMax;
      addTrials(bets[index]!.bet, { tested: block.to - block.from, hits: countHits(hashes, sets, block), p0, perVisit: callsPerVisit });
    }
  }
  countUntil(rows.length);
  const { largest, ...result } = averageBets(bets);
  const vectors = rows.length === 0 ? [] : findSets()[largest]!.map(({ row }) => vectorOf(row));
  return { check: "exact_duplicates", ...result, detail: { kind: "vectors", vectors } };
}

/** The weighted mean of the bets, and what the one with the largest part in it has counted. */
function averageBets(bets: readonly { weight: number; bet: Bet }[]) {
  const parts = bets.map(({ weight, bet }) => Math.log(weight) + logRatioOf(bet));
  const largest = parts.indexOf(Math.max(...parts));
  const { tested, hits } = bets[largest]!.bet;
  return { logRatio: parts.reduce(addLogs), tested, hits, largest };
}

/* Almost equal sessions */

/** The most that one box holds of an honest site's visits, by the number of telling signals of its centre; fewer than two are not tested. */
export const boxShareMax = [1, 1, 0.98, 0.97, 0.95, 0.95] as const;
const boxTellingMin = 2;
/** Half the width of a box: a part of the centre's value, but at least so much, in the order of `signalNames`. */
const boxPart = 0.15;
const boxMin = [0.02, 1, 0.02, 1, 1] as const;
/** The centre is chosen among this many of the earlier sessions. */
const centreSample = 32;
/** Stands for an absent signal, which is near another absent one only. */
const absent = -1;

/** One session after the other, the signals of a box only: return_visitor does not matter. */
const flatten = (rows: readonly DayRow[]): Float64Array => {
  const values = new Float64Array(rows.length * boxMin.length);
  rows.forEach((row, at) => {
    for (let index = 0; index < boxMin.length; index += 1) values[at * boxMin.length + index] = row[signalNames[index]!] ?? absent;
  });
  return values;
};

type Box = { low: Float64Array; high: Float64Array };

function boxAround(centre: ArrayLike<number>): Box {
  const half = (index: number) => (centre[index] === absent ? 0 : Math.max(boxMin[index]!, boxPart * centre[index]!));
  return {
    // A present signal is never near an absent one.
    low: Float64Array.from(boxMin, (_, index) => (centre[index] === absent ? absent : Math.max(0, centre[index]! - half(index)))),
    high: Float64Array.from(boxMin, (_, index) => centre[index]! + half(index)),
  };
}

function isInside(values: Float64Array, at: number, { low, high }: Box): boolean {
  for (let index = 0, from = at * boxMin.length; index < boxMin.length; index += 1) {
    const value = values[from + index]!;
    if (value < low[index]! || value > high[index]!) return false;
  }
  return true;
}

/** The session with the most others in its box, moved to the middle of those. */
function chooseCentre(values: Float64Array, sessions: number): SignalVector {
  const count = Math.min(sessions, centreSample);
  const sample = Array.from({ length: count }, (_, index) => Math.floor((index * sessions) / count));
  let most: number[] = [];
  for (const at of sample) {
    const box = boxAround(values.subarray(at * boxMin.length));
    const inside = sample.filter((other) => isInside(values, other, box));
    if (inside.length > most.length) most = inside;
  }
  return boxMin.map((_, index) => {
    const middle = Float64Array.from(most, (at) => values[at * boxMin.length + index]!).toSorted()[most.length >> 1]!;
    return middle === absent ? null : middle;
  });
}

const toNumbers = (centre: SignalVector) => centre.map((value) => value ?? absent);

/** The rows that lie in one of the boxes. */
export function findInBoxes(rows: readonly DayRow[], centres: readonly SignalVector[]): DayRow[] {
  const values = flatten(rows);
  const boxes = centres.map((centre) => boxAround(toNumbers(centre)));
  return rows.filter((_, at) => boxes.some((box) => isInside(values, at, box)));
}

/** `rows` in random order. */
function checkNear(rows: readonly DayRow[]): DayResult {
  const values = flatten(rows);
  const bet = openBet();
  for (const { from, to } of listBlocks(rows.length)) {
    const centre = chooseCentre(values, from);
    const telling = tellingSignals(centre);
    if (telling < boxTellingMin) continue;
    const box = boxAround(toNumbers(centre));
    let hits = 0;
    for (let at = from; at < to; at += 1) hits += Number(isInside(values, at, box));
    addTrials(bet, { tested: to - from, hits, p0: boxShareMax[telling]!, perVisit: callsPerVisit });
  }
  const { tested, hits } = bet;
  const centres = tested === 0 ? [] : [chooseCentre(values, rows.length)];
  return { check: "near_duplicates", tested, hits, logRatio: logRatioOf(bet), detail: { kind: "boxes", centres } };
}

/** Checks one complete day of an account's live sessions, or any part of them that was chosen without regard to the signals. */
export function checkDay(rows: readonly DayRow[]): DayResult[] {
  const shuffled = shuffle(rows);
  return [checkEqual(shuffled), checkNear(shuffled)];
}
