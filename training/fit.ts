import { exactExp, exactLog1p, exactSigmoid } from "../packages/scoring/src/exact-math.ts";
import { predict } from "./design.ts";
import type { Design } from "./design.ts";

/** A quadratic penalty: ½ · strength · (Σ coefficient · parameter)². */
export type Penalty = { indices: number[]; coefficients: number[]; strength: number };

export type FitProblem = {
  design: Design;
  parameterCount: number;
  chains: readonly { indices: number[]; rises: boolean[] }[];
  penalties: readonly Penalty[];
};

const iterationsMax = 60;
const halvingsMax = 40;
/** Stops when a step gains less than this share of the loss. */
const gainShareMin = 1e-10;

/**
 * Minimises a weighted logistic loss plus quadratic penalties by a damped projected Newton method. Parameters that
 * may only rise are running sums of increments, and an increment is either free or held at 0.
 */
export function fit(problem: FitProblem): { parameters: Float64Array; iterations: number; loss: number } {
  const { parameterCount } = problem;
  const bounded = new Uint8Array(parameterCount);
  for (const chain of problem.chains) {
    for (const [step, index] of chain.indices.entries()) if (chain.rises[step]) bounded[index] = 1;
  }
  let increments = new Float64Array(parameterCount);
  let loss = lossAt(problem, sumChains(problem, increments));
  let iterations = 0;
  for (; iterations < iterationsMax; iterations += 1) {
    const { gradient, hessian } = derivativesAt(problem, sumChains(problem, increments));
    const free: number[] = [];
    for (let index = 0; index < parameterCount; index += 1) {
      const held = bounded[index] === 1 && increments[index] === 0 && (gradient[index] as number) > 0;
      if (!held) free.push(index);
    }
    const step = newtonStep(hessian, gradient, free, parameterCount);
    const moved = descend(problem, { increments, step, gradient, bounded, loss });
    if (moved === undefined) break;
    const gain = loss - moved.loss;
    increments = moved.increments;
    loss = moved.loss;
    if (gain < gainShareMin * loss) break;
  }
  return { parameters: sumChains(problem, increments), iterations, loss };
}

type Descent = {
  increments: Float64Array;
  step: Float64Array;
  gradient: Float64Array;
  bounded: Uint8Array;
  loss: number;
};

/** Halves the step until the projected point lowers the loss enough (Armijo rule); undefined if there is none. */
function descend(problem: FitProblem, at: Descent): { increments: Float64Array<ArrayBuffer>; loss: number } | undefined {
  let share = 1;
  for (let halving = 0; halving < halvingsMax; halving += 1, share /= 2) {
    const increments = new Float64Array(at.increments.length);
    let predictedGain = 0;
    for (let index = 0; index < increments.length; index += 1) {
      const start = at.increments[index] as number;
      const target = start + share * (at.step[index] as number);
      increments[index] = at.bounded[index] === 1 && target < 0 ? 0 : target;
      predictedGain += (at.gradient[index] as number) * ((increments[index] as number) - start);
    }
    const loss = lossAt(problem, sumChains(problem, increments));
    if (predictedGain < 0 && loss <= at.loss + 1e-4 * predictedGain) return { increments, loss };
  }
  return undefined;
}

function sumChains(problem: FitProblem, increments: Float64Array): Float64Array<ArrayBuffer> {
  const parameters = Float64Array.from(increments);
  for (const { indices } of problem.chains) {
    let sum = 0;
    for (const index of indices) {
      sum += increments[index] as number;
      parameters[index] = sum;
    }
  }
  return parameters;
}

/** ln(1 + e^z) without overflow. */
function softplus(z: number): number {
  return z > 0 ? z + exactLog1p(exactExp(-z)) : exactLog1p(exactExp(z));
}

function lossAt(problem: FitProblem, parameters: Float64Array): number {
  const { labels, weights } = problem.design;
  const predictor = predict(problem.design, parameters);
  let loss = 0;
  for (let row = 0; row < predictor.length; row += 1) {
    const z = predictor[row] as number;
    loss += (weights[row] as number) * (softplus(z) - (labels[row] as number) * z);
  }
  for (const penalty of problem.penalties) {
    const distance = distanceOf(penalty, parameters);
    loss += 0.5 * penalty.strength * distance * distance;
  }
  return loss;
}

function distanceOf(penalty: Penalty, parameters: Float64Array): number {
  let sum = 0;
  for (const [term, index] of penalty.indices.entries()) {
    sum += (penalty.coefficients[term] as number) * (parameters[index] as number);
  }
  return sum;
}

/** Gradient and Hessian with respect to the increments. */
function derivativesAt(problem: FitProblem, parameters: Float64Array) {
  const size = problem.parameterCount;
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  addLossDerivatives(problem.design, parameters, gradient, hessian);
  for (const penalty of problem.penalties) {
    const distance = distanceOf(penalty, parameters);
    for (const [i, index] of penalty.indices.entries()) {
      const scaledCoefficient = penalty.strength * (penalty.coefficients[i] as number);
      gradient[index] = (gradient[index] as number) + scaledCoefficient * distance;
      for (const [j, other] of penalty.indices.entries()) {
        const at = index * size + other;
        hessian[at] = (hessian[at] as number) + scaledCoefficient * (penalty.coefficients[j] as number);
      }
    }
  }
  for (const { indices } of problem.chains) {
    sumFromEnd(gradient, indices, 1, 0);
    for (let row = 0; row < size; row += 1) sumFromEnd(hessian, indices, 1, row * size);
  }
  for (const { indices } of problem.chains) {
    for (let column = 0; column < size; column += 1) sumFromEnd(hessian, indices, size, column);
  }
  return { gradient, hessian };
}

function sumFromEnd(into: Float64Array, indices: readonly number[], stride: number, offset: number): void {
  for (let step = indices.length - 2; step >= 0; step -= 1) {
    const at = (indices[step] as number) * stride + offset;
    into[at] = (into[at] as number) + (into[(indices[step + 1] as number) * stride + offset] as number);
  }
}

function addLossDerivatives(
  design: Design,
  parameters: Float64Array,
  gradient: Float64Array,
  hessian: Float64Array,
): void {
  const size = parameters.length;
  const { starts, indices, values, labels, weights } = design;
  const predictor = predict(design, parameters);
  for (let row = 0; row < predictor.length; row += 1) {
    const probability = exactSigmoid(predictor[row] as number);
    const weight = weights[row] as number;
    const slope = weight * (probability - (labels[row] as number));
    const curvature = weight * probability * (1 - probability);
    const end = starts[row + 1] as number;
    for (let i = starts[row] as number; i < end; i += 1) {
      const index = indices[i] as number;
      const value = values[i] as number;
      gradient[index] = (gradient[index] as number) + slope * value;
      const scaledValue = curvature * value;
      for (let j = starts[row] as number; j <= i; j += 1) {
        const at = index * size + (indices[j] as number);
        hessian[at] = (hessian[at] as number) + scaledValue * (values[j] as number);
      }
    }
  }
  mirror(hessian, size);
}

/** Copies the lower triangle to the upper one: rows fill only the lower, which halves the work. */
function mirror(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < row; column += 1) {
      matrix[column * size + row] = matrix[row * size + column] as number;
    }
  }
}

/** Solves the free part of H · step = −gradient by Cholesky decomposition; held parameters do not move. */
function newtonStep(hessian: Float64Array, gradient: Float64Array, free: number[], size: number): Float64Array {
  const count = free.length;
  const factor = new Float64Array(count * count);
  for (let i = 0; i < count; i += 1) {
    const hessianRow = (free[i] as number) * size;
    for (let j = 0; j <= i; j += 1) {
      let sum = (hessian[hessianRow + (free[j] as number)] as number) + (i === j ? 1e-9 : 0);
      for (let k = 0; k < j; k += 1) sum -= (factor[i * count + k] as number) * (factor[j * count + k] as number);
      factor[i * count + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (factor[j * count + j] as number);
    }
  }
  const solution = new Float64Array(count);
  for (let i = 0; i < count; i += 1) {
    let sum = -(gradient[free[i] as number] as number);
    for (let k = 0; k < i; k += 1) sum -= (factor[i * count + k] as number) * (solution[k] as number);
    solution[i] = sum / (factor[i * count + i] as number);
  }
  for (let i = count - 1; i >= 0; i -= 1) {
    let sum = solution[i] as number;
    for (let k = i + 1; k < count; k += 1) sum -= (factor[k * count + i] as number) * (solution[k] as number);
    solution[i] = sum / (factor[i * count + i] as number);
  }
  const step = new Float64Array(size);
  for (const [i, index] of free.entries()) step[index] = solution[i] as number;
  return step;
}
