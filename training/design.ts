import { bitOf } from "../packages/scoring/src/evaluate-terms.ts";
import { scaled } from "../packages/scoring/src/interpolation.ts";
import type { SignalName, Signals } from "../packages/scoring/src/signals.ts";
import { curveTerms, pairTerms, scaleOf } from "./terms.ts";
import type { Layout } from "./terms.ts";

/** Weighted, labelled rows of a sparse matrix: row r has the entries starts[r] to starts[r + 1], with ascending indices. */
export type Design = {
  starts: Int32Array;
  indices: Int32Array;
  values: Float64Array;
  labels: Float64Array;
  weights: Float64Array;
};

/** Input of one row: `mask` has a bit (in the order of `signalNames`) for each hidden signal. */
export type DesignRow = { signals: Signals; mask: number; sourceIndex: number; label: number; weight: number };

const scaledKnots = curveTerms.map((term) => term.knots.map((knot) => scaled(knot, term.scale)));
const scaledPairKnots = pairTerms.map((term) =>
  term.knots.map((knots, side) => knots.map((knot) => scaled(knot, scaleOf(term.signals[side as 0 | 1])))),
);

/** The cell that contains `x` and the position within it; values beyond the outer knots are clamped. */
export function locate(knots: readonly number[], x: number): { cell: number; share: number } {
  const last = knots.length - 1;
  if (x <= (knots[0] as number)) return { cell: 0, share: 0 };
  if (x >= (knots[last] as number)) return { cell: last - 1, share: 1 };
  let cell = 0;
  while (x >= (knots[cell + 1] as number)) cell += 1;
  const from = knots[cell] as number;
  return { cell, share: (x - from) / ((knots[cell + 1] as number) - from) };
}

function valueOf(row: DesignRow, signal: SignalName): number | undefined {
  const value = row.signals[signal];
  if (value === undefined || (row.mask & bitOf(signal)) !== 0) return undefined;
  return scaled(Number(value), scaleOf(signal));
}

export function buildDesign(rows: readonly DesignRow[], layout: Layout): Design {
  const starts = new Int32Array(rows.length + 1);
  const indices: number[] = [];
  const values: number[] = [];
  const push = (index: number, value: number) => {
    if (value === 0) return;
    indices.push(index);
    values.push(value);
  };
  for (const [rowIndex, row] of rows.entries()) {
    pushCurves(row, layout, push);
    pushPairs(row, layout, push);
    if (row.sourceIndex >= 0) push(layout.sourceOffset + row.sourceIndex, 1);
    starts[rowIndex + 1] = indices.length;
  }
  return {
    starts,
    indices: Int32Array.from(indices),
    values: Float64Array.from(values),
    labels: Float64Array.from(rows, (row) => row.label),
    weights: Float64Array.from(rows, (row) => row.weight),
  };
}

function pushCurves(row: DesignRow, layout: Layout, push: (index: number, value: number) => void): void {
  for (const [index, term] of curveTerms.entries()) {
    const x = valueOf(row, term.signal);
    if (x === undefined) continue;
    const { cell, share } = locate(scaledKnots[index] as number[], x);
    const offset = (layout.curveOffsets[index] as number) + cell;
    push(offset, 1 - share);
    push(offset + 1, share);
  }
}

function pushPairs(row: DesignRow, layout: Layout, push: (index: number, value: number) => void): void {
  for (const [index, term] of pairTerms.entries()) {
    const x = valueOf(row, term.signals[0]);
    const y = valueOf(row, term.signals[1]);
    if (x === undefined || y === undefined) continue;
    const [rowKnots, columnKnots] = scaledPairKnots[index] as [number[], number[]];
    const first = locate(rowKnots, x);
    const second = locate(columnKnots, y);
    const offset = (layout.pairOffsets[index] as number) + first.cell * columnKnots.length + second.cell;
    push(offset, (1 - first.share) * (1 - second.share));
    push(offset + 1, (1 - first.share) * second.share);
    push(offset + columnKnots.length, first.share * (1 - second.share));
    push(offset + columnKnots.length + 1, first.share * second.share);
  }
}

/** Linear predictor of every row. */
export function predict(design: Design, parameters: Float64Array): Float64Array {
  const result = new Float64Array(design.labels.length);
  for (let row = 0; row < result.length; row += 1) {
    let sum = 0;
    for (let at = design.starts[row] as number; at < (design.starts[row + 1] as number); at += 1) {
      sum += (design.values[at] as number) * (parameters[design.indices[at] as number] as number);
    }
    result[row] = sum;
  }
  return result;
}
