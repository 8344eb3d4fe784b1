import { scaled } from "../packages/scoring/src/interpolation.ts";
import type { Pull } from "./fit.ts";
import { curveTerms, pairTerms } from "./terms.ts";
import type { Layout } from "./terms.ts";

/** Strengths, in units of one session of average weight; chosen by cross-validation on train.csv. */
const strengths = {
  /** Bends of a curve. */
  bend: 10,
  /** Size of a curve's values. */
  curveSize: 0.3,
  /** Size of a pair's values: what one signal can say alone, its curve should say. */
  pairSize: 0.05,
  /** Whether a visitor was recorded as new or returning says nothing: the middle of that curve is held at 0. */
  returnMiddle: 1e6,
} as const;

/** Everything that pulls the parameters towards small, smooth curves and surfaces. */
export function penaltyOf(layout: Layout): Pull[] {
  const pulls: Pull[] = [];
  for (const [index, term] of curveTerms.entries()) {
    const offset = layout.curveOffsets[index] as number;
    pulls.push(...sizePulls(offset, term.knots.length, strengths.curveSize));
    pulls.push(...bendPulls(offset, term.knots.map((knot) => scaled(knot, term.scale)), strengths.bend));
    if (term.signal !== "return_visitor") continue;
    pulls.push({ indices: [offset, offset + 1], coefficients: [0.5, 0.5], strength: strengths.returnMiddle });
  }
  for (const [index, term] of pairTerms.entries()) {
    const offset = layout.pairOffsets[index] as number;
    const [rowCount, columnCount] = [term.knots[0].length, term.knots[1].length];
    pulls.push(...sizePulls(offset, rowCount * columnCount, strengths.pairSize));
    pulls.push(...neighbourPulls(offset, rowCount, columnCount, term.smoothing));
  }
  return pulls;
}

function sizePulls(offset: number, count: number, strength: number): Pull[] {
  return Array.from({ length: count }, (_, step) => ({ indices: [offset + step], coefficients: [1], strength }));
}

/** Penalises changes of slope, whatever the spacing of the knots (x is scaled to a range of 1). */
export function bendPulls(offset: number, x: readonly number[], strength: number): Pull[] {
  const range = (x.at(-1) as number) - (x[0] as number);
  const pulls: Pull[] = [];
  for (let knot = 1; knot + 1 < x.length; knot += 1) {
    const before = ((x[knot] as number) - (x[knot - 1] as number)) / range;
    const after = ((x[knot + 1] as number) - (x[knot] as number)) / range;
    const size = Math.sqrt((before + after) / 2);
    pulls.push({
      indices: [offset + knot - 1, offset + knot, offset + knot + 1],
      coefficients: [size / before, -size / before - size / after, size / after],
      strength,
    });
  }
  return pulls;
}

function neighbourPulls(offset: number, rowCount: number, columnCount: number, strength: number): Pull[] {
  const pulls: Pull[] = [];
  for (let row = 0; row < rowCount; row += 1) {
    for (let column = 0; column < columnCount; column += 1) {
      const at = offset + row * columnCount + column;
      if (row + 1 < rowCount) pulls.push({ indices: [at, at + columnCount], coefficients: [-1, 1], strength });
      if (column + 1 < columnCount) pulls.push({ indices: [at, at + 1], coefficients: [-1, 1], strength });
    }
  }
  return pulls;
}
