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
import { type DayRow, isFine, isVeryFine, tellingSignals, vectorOf } from "./session-kinds.ts";

/** A visit may be sent to three endpoints, or be sent again: so many calls may be of one visit. */
const callsPerVisit = 3;

/** A result names at most so many sessions. */
const setsNamedMax = 256;

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
export const equalShareMax = [0.985, 0.985, 0.97, 0.95, 0.9, 0.85] as const;
/**
 * Days with fewer sessions are not tested, by the same number. A small site with a coarse instrument may send one and
 * the same session forever; growth bounds what it is paid.
 */
const equalSessionsMin = [500, 500, 500, 100, 0, 0] as const;
/** Sessions with so many telling signals can be bet on together where at least half of the different ones are finely measured. */
const severalTellingMin = 3;
/** The most that the four most frequent ones make up. */
export const fewShareMax = 0.95;
const fewSize = 4;
/** The most calls of an honest site that repeat any session of the day, where those are very finely measured: a visit may be sent ten times. */
export const repeatedShareMax = 0.9;
/** Among more calls, people's sessions are equal by chance. */
const repeatedCallsMax = 2_000;

const equalWeights = { top: 0.8, few: 0.05, repeated: 0.15 } as const;

type Known = { hash: number; count: number; row: DayRow; telling: number };

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

/** The sessions known so far. */
function createCounts() {
  const known = new Map<number, Known>();
  /** Those with several telling signals, by their hashes, and how many of them are fine and very fine. */
  const telling = new Map<number, Known>();
  const counts = { fine: 0, veryFine: 0 };
  const add = (hash: number, row: DayRow) => {
    const found = known.get(hash);
    if (found) {
      found.count += 1;
      return;
    }
    const vector = vectorOf(row);
    const added: Known = { hash, count: 1, row, telling: tellingSignals(vector) };
    known.set(hash, added);
    if (added.telling < severalTellingMin) return;
    telling.set(hash, added);
    counts.fine += Number(isFine(vector));
    counts.veryFine += Number(isVeryFine(vector));
  };
  const isMost = (part: number) => telling.size > 0 && part * 2 >= telling.size;
  return { known, telling, add, areFine: () => isMost(counts.fine), areVeryFine: () => isMost(counts.veryFine) };
}

function countHits(hashes: Float64Array, wanted: { has(hash: number): boolean }, { from, to }: Block): number {
  let hits = 0;
  for (let at = from; at < to; at += 1) hits += Number(wanted.has(hashes[at]!));
  return hits;
}

const hashesOf = (sets: readonly Known[]): Set<number> => new Set(sets.map(({ hash }) => hash));

/** `rows` in random order. */
function checkEqual(rows: readonly DayRow[]): DayResult {
  const hashes = Float64Array.from(rows, createVectorHash());
  const { known, telling, add, areFine, areVeryFine } = createCounts();
  const bets = { top: openBet(), few: openBet(), repeated: openBet() };
  let counted = 0;
  const countUntil = (end: number) => {
    for (; counted < end; counted += 1) add(hashes[counted]!, rows[counted]!);
  };
  for (const block of listBlocks(rows.length)) {
    countUntil(block.from);
    const tested = block.to - block.from;
    const [top] = findMostFrequent(known.values(), 1);
    if (rows.length >= equalSessionsMin[top!.telling]!) {
      const hits = countHits(hashes, new Set([top!.hash]), block);
      addTrials(bets.top, { tested, hits, p0: equalShareMax[top!.telling]!, perVisit: callsPerVisit });
    }
    if (areFine()) {
      const few = hashesOf(findMostFrequent(telling.values(), fewSize));
      addTrials(bets.few, { tested, hits: countHits(hashes, few, block), p0: fewShareMax, perVisit: callsPerVisit });
    }
    if (areVeryFine() && block.from < repeatedCallsMax) {
      addTrials(bets.repeated, { tested, hits: countHits(hashes, telling, block), p0: repeatedShareMax, perVisit: 1 });
    }
  }
  countUntil(rows.length);
  const { largest, ...result } = averageBets(bets, equalWeights);
  const sets = {
    top: () => findMostFrequent(known.values(), 1),
    few: () => findMostFrequent(telling.values(), fewSize),
    repeated: () => findMostFrequent(telling.values(), setsNamedMax).filter(({ count }) => count > 1),
  }[largest]();
  return { check: "exact_duplicates", ...result, detail: { kind: "vectors", vectors: sets.map(({ row }) => vectorOf(row)) } };
}

/** The weighted mean of the bets, and what the one with the largest part in it has counted. */
function averageBets<Name extends string>(bets: Record<Name, Bet>, weights: Record<Name, number>) {
  const names = Object.keys(bets) as Name[];
  const parts = names.map((name) => Math.log(weights[name]) + logRatioOf(bets[name]));
  const largest = names[parts.indexOf(Math.max(...parts))]!;
  const { tested, hits } = bets[largest];
  return { logRatio: parts.reduce(addLogs), tested, hits, largest };
}

/* Almost equal sessions */

/** The most that one box holds of an honest site's visits, by the number of telling signals of its centre. */
export const boxShareMax = [1, 1, 0.985, 0.985, 0.98, 0.98] as const;
const boxTellingMin = 2;
/** With fewer telling signals, people are told apart only where at least half of the sessions in a box are finely measured. */
const coarseTellingMin = 4;
/** Days with fewer sessions are not tested: a few people who all do the same thing, for example in an exam, may fill a box. */
const boxSessionsMin = 300;
/** Half the width of a box is a part of the centre's value. Shares and seconds differ by at least so much more; small counts are equal. */
const boxPart = 0.15;
const boxMin = [0.02, 1, 0.02, 0, 0] as const;
/** From this count on, one more or less is near. */
const nearCountMin = 5;
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
  const half = (index: number) => {
    const isCount = boxMin[index] === 0;
    return centre[index] === absent || (isCount && centre[index]! < nearCountMin) ? 0 : Math.max(isCount ? 1 : boxMin[index]!, boxPart * centre[index]!);
  };
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

type Centre = { vector: SignalVector; telling: number; isTested: boolean };

/** The one of the first sessions with the most others in its box, moved to the middle of those. */
function chooseCentre(values: Float64Array, rows: readonly DayRow[], sessions: number): Centre {
  const count = Math.min(sessions, centreSample);
  const sample = Array.from({ length: count }, (_, index) => Math.floor((index * sessions) / count));
  let most: number[] = [];
  for (const at of sample) {
    const box = boxAround(values.subarray(at * boxMin.length));
    const inside = sample.filter((other) => isInside(values, other, box));
    if (inside.length > most.length) most = inside;
  }
  const vector = boxMin.map((_, index) => {
    const middle = Float64Array.from(most, (at) => values[at * boxMin.length + index]!).toSorted()[most.length >> 1]!;
    return middle === absent ? null : middle;
  });
  const telling = tellingSignals(vector);
  const isMostlyFine = () => most.filter((at) => isFine(vectorOf(rows[at]!))).length * 2 >= most.length;
  return { vector, telling, isTested: telling >= coarseTellingMin || (telling >= boxTellingMin && isMostlyFine()) };
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
  const blocks = rows.length < boxSessionsMin ? [] : listBlocks(rows.length);
  for (const { from, to } of blocks) {
    const { vector, telling, isTested } = chooseCentre(values, rows, from);
    if (!isTested) continue;
    const box = boxAround(toNumbers(vector));
    let hits = 0;
    for (let at = from; at < to; at += 1) hits += Number(isInside(values, at, box));
    addTrials(bet, { tested: to - from, hits, p0: boxShareMax[telling]!, perVisit: callsPerVisit });
  }
  const { tested, hits } = bet;
  const centres = tested === 0 ? [] : [chooseCentre(values, rows, rows.length).vector];
  return { check: "near_duplicates", tested, hits, logRatio: logRatioOf(bet), detail: { kind: "boxes", centres } };
}

/** Checks one complete day of an account's live sessions, or any part of them that was chosen without regard to the signals. */
export function checkDay(rows: readonly DayRow[]): DayResult[] {
  const shuffled = shuffle(rows);
  return [checkEqual(shuffled), checkNear(shuffled)];
}
