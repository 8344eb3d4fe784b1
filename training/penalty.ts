import { scaled } from "../packages/scoring/src/interpolation.ts";
import type { Penalty } from "./fit.ts";
import { curveTerms, pairTerms } from "./terms.ts";
import type { Layout } from "./terms.ts";

/** Strengths in units of one session of average weight, chosen by cross-validation on train.csv. */
const strengths = {
  /** Curvature of a curve. */
  curvature: 10,
  /** Size of a curve's values. */
  curveSize: 0.3,
  /** Size of a pair's values: what one signal explains alone belongs into its curve. */
  pairSize: 0.05,
  /** Holds the mean of the curve at 0: whether a source records returning visitors is no evidence by itself. */
  returnMiddle: 1e6,
} as const;

/** Penalties that favour small, smooth curves and surfaces. */
export function penaltiesOf(layout: Layout): Penalty[] {
  const penalties: Penalty[] = [];
  for (const [index, term] of curveTerms.entries()) {
    const offset = layout.curveOffsets[index] as number;
    penalties.push(...sizePenalties(offset, term.knots.length, strengths.curveSize));
    penalties.push(...curvaturePenalties(offset, term.knots.map((knot) => scaled(knot, term.scale)), strengths.curvature));
    if (term.signal !== "return_visitor") continue;
    penalties.push({ indices: [offset, offset + 1], coefficients: [0.5, 0.5], strength: strengths.returnMiddle });
  }
  for (const [index, term] of pairTerms.entries()) {
    const offset = layout.pairOffsets[index] as number;
    const [rowCount, columnCount] = [term.knots[0].length, term.knots[1].length];
    penalties.push(...sizePenalties(offset, rowCount * columnCount, strengths.pairSize));
    penalties.push(...neighbourPenalties(offset, rowCount, columnCount, term.smoothing));
  }
  return penalties;
}

function sizePenalties(offset: number, count: number, strength: number): Penalty[] {
  return Array.from({ length: count }, (_, step) => ({ indices: [offset + step], coefficients: [1], strength }));
}

/** Penalises changes of slope, whatever the spacing of the knots (x is scaled to a range of 1). */
export function curvaturePenalties(offset: number, x: readonly number[], strength: number): Penalty[] {
  const range = (x.at(-1) as number) - (x[0] as number);
  const penalties: Penalty[] = [];
  for (let knot = 1; knot + 1 < x.length; knot += 1) {
    const before = ((x[knot] as number) - (x[knot - 1] as number)) / range;
    const after = ((x[knot + 1] as number) - (x[knot] as number)) / range;
    const size = Math.sqrt((before + after) / 2);
    penalties.push({
      indices: [offset + knot - 1, offset + knot, offset + knot + 1],
      coefficients: [size / before, -size / before - size / after, size / after],
      strength,
    });
  }
  return penalties;
}

function neighbourPenalties(offset: number, rowCount: number, columnCount: number, strength: number): Penalty[] {
  const penalties: Penalty[] = [];
  for (let row = 0; row < rowCount; row += 1) {
    for (let column = 0; column < columnCount; column += 1) {
      const at = offset + row * columnCount + column;
      if (row + 1 < rowCount) penalties.push({ indices: [at, at + columnCount], coefficients: [-1, 1], strength });
      if (column + 1 < columnCount) penalties.push({ indices: [at, at + 1], coefficients: [-1, 1], strength });
    }
  }
  return penalties;
}
