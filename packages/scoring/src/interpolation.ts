import type { Scale } from "./artefact.ts";
import { exactLog1p } from "./exact-math.ts";

export function scaled(value: number, scale: Scale): number {
  return scale === "log" ? exactLog1p(value) : value;
}

/** Sorted, scaled knots ready for lookup. */
export function scaledKnots(knots: readonly number[], scale: Scale): Float64Array {
  return Float64Array.from(knots, (knot) => scaled(knot, scale));
}

/** Index of the cell that contains `x`; outside the knots, the outermost cell on that side. */
export function cellOf(knots: Float64Array, x: number): number {
  const last = knots.length - 2;
  let cell = 0;
  while (cell < last && x >= (knots[cell + 1] as number)) cell += 1;
  return cell;
}

/** Position of `x` within its cell, 0 to 1; values beyond the outer knots are clamped. */
export function shareOf(knots: Float64Array, cell: number, x: number): number {
  const from = knots[cell] as number;
  const share = (x - from) / ((knots[cell + 1] as number) - from);
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

/** Value at `x` of a function on a regular grid: linear between its points, constant outside. */
export function onGrid(values: Float64Array, from: number, step: number, x: number): number {
  const last = values.length - 1;
  const position = (x - from) / step;
  if (!(position > 0)) return values[0] as number;
  if (position >= last) return values[last] as number;
  const cell = Math.floor(position);
  const low = values[cell] as number;
  return low + (position - cell) * ((values[cell + 1] as number) - low);
}

/** Isotonic maps have irregular knots, with steps where two of them coincide. */
export function alongKnots(knots: Float64Array, values: Float64Array, x: number): number {
  const last = knots.length - 1;
  if (x <= (knots[0] as number)) return values[0] as number;
  if (x >= (knots[last] as number)) return values[last] as number;
  let cell = 0;
  while (x >= (knots[cell + 1] as number)) cell += 1;
  const start = knots[cell] as number;
  const low = values[cell] as number;
  return low + ((x - start) / ((knots[cell + 1] as number) - start)) * ((values[cell + 1] as number) - low);
}
