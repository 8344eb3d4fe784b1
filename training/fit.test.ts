import assert from "node:assert/strict";
import { it } from "node:test";
import { exactSigmoid } from "../packages/scoring/src/exact-math.ts";
import type { Design } from "./design.ts";
import { fit } from "./fit.ts";
import { seededRandom } from "./random.ts";

/** Rows of [1, x] with labels drawn from sigmoid(shift + slope · x). */
function drawnDesign(shift: number, slope: number, count: number): Design {
  const random = seededRandom(3);
  const x = Array.from({ length: count }, () => 4 * random() - 2);
  return {
    starts: Int32Array.from({ length: count + 1 }, (_, row) => 2 * row),
    indices: Int32Array.from({ length: 2 * count }, (_, at) => at % 2),
    values: Float64Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? 1 : (x[(at - 1) / 2] as number))),
    labels: Float64Array.from(x, (value) => (random() < exactSigmoid(shift + slope * value) ? 1 : 0)),
    weights: new Float64Array(count).fill(1),
  };
}

it("recovers the coefficients that the labels were drawn from", () => {
  const { parameters } = fit({ design: drawnDesign(0.5, 1.5, 20_000), parameterCount: 2, chains: [], penalties: [] });
  assert.ok(Math.abs((parameters[0] as number) - 0.5) < 0.06);
  assert.ok(Math.abs((parameters[1] as number) - 1.5) < 0.06);
});

it("holds an increment at zero when the data call for a decrease", () => {
  const design = drawnDesign(0, -2, 2_000);
  const chains = [{ indices: [1], rises: [true] }];
  const { parameters } = fit({ design, parameterCount: 2, chains, penalties: [] });
  assert.equal(parameters[1], 0);
  const free = fit({ design, parameterCount: 2, chains: [], penalties: [] });
  assert.ok((free.parameters[1] as number) < -1.5);
});

it("a strong penalty outweighs the data", () => {
  const design = drawnDesign(0, 2, 2_000);
  const penalties = [{ indices: [1], coefficients: [1], strength: 1e9 }];
  const { parameters } = fit({ design, parameterCount: 2, chains: [], penalties });
  assert.ok(Math.abs(parameters[1] as number) < 1e-4);
});

it("the gradient is zero at the solution", () => {
  const design = drawnDesign(0.3, 0.7, 500);
  const { parameters } = fit({ design, parameterCount: 2, chains: [], penalties: [] });
  const gradient = [0, 0];
  for (let row = 0; row < 500; row += 1) {
    const x = design.values[2 * row + 1] as number;
    const wrong = exactSigmoid((parameters[0] as number) + (parameters[1] as number) * x) - (design.labels[row] as number);
    gradient[0] = (gradient[0] as number) + wrong;
    gradient[1] = (gradient[1] as number) + wrong * x;
  }
  assert.ok(gradient.every((each) => Math.abs(each) < 1e-3), String(gradient));
});
