import { compileTerms, signalCount } from "../packages/scoring/src/evaluate-terms.ts";
import { compileSubsetSum, learntBits } from "../packages/scoring/src/stability.ts";
import { compileLevel, hidingWeight, stabilityGrid, subsetsOf } from "./hide-signals.ts";
import type { CalibratedTerms } from "./hide-signals.ts";
import type { Session } from "./read-sessions.ts";

const rounds = 30;
/** Damping: all tables move at once, so each round moves them only this share of the way. */
const stride = 0.5;
/** Weight of a table entry's old value, in hidings. */
const inertia = 2;

/** Per session: the signals seen, and for each subset its position on the grid and whether its level is the final one. */
type Prepared = {
  whole: number;
  /** In ascending order. */
  subsets: readonly number[];
  subsetWeights: readonly number[];
  positions: Float64Array;
  agrees: Uint8Array;
};

/**
 * The evaluator takes the best entry over all subsets of the signals seen, so that confidence cannot rise when a
 * signal is removed. An entry used for sets larger than its own must be right for those too: each round moves
 * every entry towards the share of unchanged levels among the hidings for which that entry was the best.
 */
export function settleAgreement(
  sessions: readonly Session[],
  model: CalibratedTerms,
  agreement: Record<string, number[]>,
): void {
  const prepared = prepare(sessions, model);
  const size = stabilityGrid.count;
  const tables = new Float64Array(size << signalCount);
  for (const [seen, values] of Object.entries(agreement)) tables.set(values, Number(seen) * size);
  for (let round = 0; round < rounds; round += 1) {
    const weights = new Float64Array(tables.length);
    const agreeing = new Float64Array(tables.length);
    for (const session of prepared) addBest(session, tables, weights, agreeing);
    for (let at = 0; at < tables.length; at += 1) {
      const old = tables[at] as number;
      const mean = ((agreeing[at] as number) + inertia * old) / ((weights[at] as number) + inertia);
      tables[at] = old + stride * (mean - old);
    }
  }
  for (const seen of Object.keys(agreement)) {
    if (Number(seen) === learntBits) continue;
    const start = Number(seen) * size;
    agreement[seen] = Array.from(tables.subarray(start, start + size), (value) => Math.round(value * 1000) / 1000);
  }
}

function prepare(sessions: readonly Session[], model: CalibratedTerms): Prepared[] {
  const evaluate = compileTerms(model);
  const sumOver = compileSubsetSum(model.pairs);
  const levelOf = compileLevel(model.calibration);
  return sessions.map((session) => {
    const terms = evaluate(session.signals);
    const whole = terms.seen & learntBits;
    const fullLevel = levelOf(sumOver(terms, whole));
    const positions = new Float64Array(learntBits + 1);
    const agrees = new Uint8Array(learntBits + 1);
    for (const seen of subsetsOf(whole)) {
      const logOdds = sumOver(terms, seen);
      const position = (logOdds - stabilityGrid.from) / stabilityGrid.step;
      positions[seen] = Math.min(stabilityGrid.count - 1.000001, Math.max(0, position));
      agrees[seen] = levelOf(logOdds) === fullLevel ? 1 : 0;
    }
    const subsets = subsetsOf(whole).toReversed();
    return { whole, subsets, subsetWeights: subsets.map((seen) => hidingWeight(whole, seen)), positions, agrees };
  });
}

const bestValue = new Float64Array(learntBits + 1);
/** The best entry of all tables for each subset, and the position between it and its right neighbour. */
const bestCell = new Int32Array(learntBits + 1);
const bestShare = new Float64Array(learntBits + 1);

/** For every subset of one session, counts towards the entry that the evaluator would take. */
function addBest(session: Prepared, tables: Float64Array, weights: Float64Array, agreeing: Float64Array): void {
  const { whole, subsets, subsetWeights, positions, agrees } = session;
  for (let index = 0; index < subsets.length; index += 1) {
    const seen = subsets[index] as number;
    const position = positions[seen] as number;
    const cell = seen * stabilityGrid.count + Math.floor(position);
    const share = position - Math.floor(position);
    bestValue[seen] = (1 - share) * (tables[cell] as number) + share * (tables[cell + 1] as number);
    bestCell[seen] = cell;
    bestShare[seen] = share;
    for (let bit = 1; bit <= seen; bit <<= 1) {
      const smaller = seen & ~bit;
      if (smaller === seen || (bestValue[smaller] as number) <= bestValue[seen]) continue;
      bestValue[seen] = bestValue[smaller] as number;
      bestCell[seen] = bestCell[smaller] as number;
      bestShare[seen] = bestShare[smaller] as number;
    }
    if (seen === whole) continue;
    const right = (subsetWeights[index] as number) * bestShare[seen];
    const left = (subsetWeights[index] as number) - right;
    const at = bestCell[seen];
    weights[at] = (weights[at] as number) + left;
    weights[at + 1] = (weights[at + 1] as number) + right;
    if (agrees[seen] === 0) continue;
    agreeing[at] = (agreeing[at] as number) + left;
    agreeing[at + 1] = (agreeing[at + 1] as number) + right;
  }
}
