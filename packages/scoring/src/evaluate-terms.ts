import type { Artefact } from "./artefact.ts";
import { cellOf, scaled, scaledKnots, shareOf } from "./interpolation.ts";
import { signalNames } from "./signals.ts";
import type { SignalName, Signals } from "./signals.ts";

/** Log-odds that each curve and pair adds for one session. The evaluator reuses one such object to avoid allocation. */
export type TermValues = {
  /** One bit per signal seen, in the order of `signalNames`. */
  seen: number;
  curves: Float64Array;
  pairs: Float64Array;
  sum: number;
};

export const signalCount = signalNames.length;

export const bitOf = (signal: SignalName) => 1 << signalNames.indexOf(signal);

type CompiledPair = {
  first: number;
  second: number;
  bits: number;
  rows: Float64Array;
  columns: Float64Array;
  values: Float64Array;
};

/** Computes the log-odds of a session term by term. Missing signals, and pairs that lack a signal, add 0. */
export function compileTerms(artefact: Pick<Artefact, "curves" | "pairs">): (signals: Signals) => TermValues {
  const scales = signalNames.map((name) => artefact.curves[name].scale);
  const knots = signalNames.map((name, index) => scaledKnots(artefact.curves[name].knots, scales[index] ?? "linear"));
  const values = signalNames.map((name) => Float64Array.from(artefact.curves[name].values));
  const pairs = artefact.pairs.map((pair) => compilePair(pair, scales));
  const result: TermValues = {
    seen: 0,
    curves: new Float64Array(signalCount),
    pairs: new Float64Array(pairs.length),
    sum: 0,
  };
  const scaledValues = new Float64Array(signalCount);

  return (signals) => {
    let seen = 0;
    let sum = 0;
    for (let index = 0; index < signalCount; index += 1) {
      const raw = numberOf(signals, index);
      result.curves[index] = 0;
      // NaN, like undefined, means that the signal is missing.
      if (raw === undefined || Number.isNaN(raw)) continue;
      seen |= 1 << index;
      const x = scaled(raw, scales[index] ?? "linear");
      scaledValues[index] = x;
      const points = interpolate(knots[index] as Float64Array, values[index] as Float64Array, x);
      result.curves[index] = points;
      sum += points;
    }
    for (let index = 0; index < pairs.length; index += 1) {
      const pair = pairs[index] as CompiledPair;
      const isSeen = (seen & pair.bits) === pair.bits;
      const points = isSeen ? interpolatePair(pair, scaledValues[pair.first] as number, scaledValues[pair.second] as number) : 0;
      result.pairs[index] = points;
      sum += points;
    }
    result.seen = seen;
    result.sum = sum;
    return result;
  };
}

/** Reads by fixed property names, which engines optimise, in the order of `signalNames`. */
function numberOf(signals: Signals, index: number): number | undefined {
  switch (index) {
    case 0:
      return signals.user_engagement;
    case 1:
      return signals.session_duration;
    case 2:
      return signals.scroll_depth;
    case 3:
      return signals.interaction_count;
    case 4:
      return signals.page_views;
    default:
      return signals.return_visitor === undefined ? undefined : signals.return_visitor ? 1 : 0;
  }
}

function interpolate(knots: Float64Array, values: Float64Array, x: number): number {
  const cell = cellOf(knots, x);
  const low = values[cell] as number;
  return low + shareOf(knots, cell, x) * ((values[cell + 1] as number) - low);
}

function compilePair(pair: Artefact["pairs"][number], scales: readonly ("linear" | "log")[]): CompiledPair {
  const first = signalNames.indexOf(pair.signals[0]);
  const second = signalNames.indexOf(pair.signals[1]);
  return {
    first,
    second,
    bits: (1 << first) | (1 << second),
    rows: scaledKnots(pair.knots[0], scales[first] ?? "linear"),
    columns: scaledKnots(pair.knots[1], scales[second] ?? "linear"),
    values: Float64Array.from(pair.values.flat()),
  };
}

/** Interpolates along the second signal last, so that a surface that rises along the first does so exactly. */
function interpolatePair(pair: CompiledPair, x: number, y: number): number {
  const { rows, columns, values } = pair;
  const row = cellOf(rows, x);
  const column = cellOf(columns, y);
  const down = shareOf(rows, row, x);
  const across = shareOf(columns, column, y);
  const at = row * columns.length + column;
  const below = at + columns.length;
  const left = (values[at] as number) + down * ((values[below] as number) - (values[at] as number));
  const right = (values[at + 1] as number) + down * ((values[below + 1] as number) - (values[at + 1] as number));
  return (1 - across) * left + across * right;
}
