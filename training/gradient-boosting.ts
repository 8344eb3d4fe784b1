import { exactLogit, exactSigmoid } from "../packages/scoring/src/exact-math.ts";
import { signalNames } from "../packages/scoring/src/signals.ts";
import type { SignalName, Signals } from "../packages/scoring/src/signals.ts";
import type { Session } from "./read-sessions.ts";

/*
 * Baseline: gradient-boosted trees on binned signals, without the constraints of the shipped model (monotonic,
 * additive, missing = 0). Its lead is the cost of those constraints.
 */

const settings = { trees: 90, depth: 3, learningRate: 0.1, binCount: 48, hessianMin: 8, ridge: 1 } as const;

type Tree = { leaf: number } | { feature: number; atMost: number; left: Tree; right: Tree };
type Binning = { name: SignalName; edges: number[] };

export type BoostedModel = (signals: Signals) => number;

/** Fits on the `features` of `sessions`; the model returns log-odds. */
export function fitBoosting(sessions: readonly Session[], features: readonly SignalName[] = signalNames): BoostedModel {
  const binnings = features.map((name) => binningOf(sessions, name));
  const bins = binnings.map((binning) => Uint8Array.from(sessions, ({ signals }) => binOf(binning, signals)));
  const labels = Float64Array.from(sessions, ({ label }) => label);
  const share = labels.reduce((sum, label) => sum + label, 0) / labels.length;
  const start = exactLogit(share);
  const logOdds = new Float64Array(labels.length).fill(start);
  const rows = Uint32Array.from(labels, (_, row) => row);
  const trees: Tree[] = [];
  const gradient = new Float64Array(labels.length);
  const hessian = new Float64Array(labels.length);
  for (let round = 0; round < settings.trees; round += 1) {
    for (let row = 0; row < labels.length; row += 1) {
      const probability = exactSigmoid(logOdds[row] as number);
      gradient[row] = probability - (labels[row] as number);
      hessian[row] = probability * (1 - probability);
    }
    trees.push(growTree({ bins, gradient, hessian, logOdds }, rows, settings.depth));
  }
  return (signals) => {
    const binned = binnings.map((binning) => binOf(binning, signals));
    return trees.reduce((sum, tree) => sum + valueOf(tree, binned), start);
  };
}

/** Edges at evenly spaced quantiles of the observed values. Bin 0 is for a missing signal. */
function binningOf(sessions: readonly Session[], name: SignalName): Binning {
  const values = sessions
    .map(({ signals }) => signals[name])
    .filter((value) => value !== undefined)
    .map(Number)
    .toSorted((left, right) => left - right);
  const edges = new Set<number>();
  for (let bin = 1; bin < settings.binCount && values.length > 0; bin += 1) {
    edges.add(values[Math.floor((bin * values.length) / settings.binCount)] as number);
  }
  return { name, edges: [...edges] };
}

function binOf({ name, edges }: Binning, signals: Signals): number {
  const value = signals[name];
  if (value === undefined) return 0;
  let bin = 0;
  while (bin < edges.length && Number(value) >= (edges[bin] as number)) bin += 1;
  return bin + 1;
}

type Growing = { bins: Uint8Array[]; gradient: Float64Array; hessian: Float64Array; logOdds: Float64Array };

function growTree(growing: Growing, rows: Uint32Array, depth: number): Tree {
  const split = depth > 0 ? bestSplit(growing, rows) : undefined;
  if (split === undefined) {
    const { gradient, hessian } = sums(growing, rows);
    const leaf = (-settings.learningRate * gradient) / (hessian + settings.ridge);
    for (const row of rows) growing.logOdds[row] = (growing.logOdds[row] as number) + leaf;
    return { leaf };
  }
  const feature = growing.bins[split.feature] as Uint8Array;
  const left = rows.filter((row) => (feature[row] as number) <= split.atMost);
  const right = rows.filter((row) => (feature[row] as number) > split.atMost);
  return { ...split, left: growTree(growing, left, depth - 1), right: growTree(growing, right, depth - 1) };
}

function sums({ gradient, hessian }: Growing, rows: Uint32Array): { gradient: number; hessian: number } {
  let [g, h] = [0, 0];
  for (const row of rows) {
    g += gradient[row] as number;
    h += hessian[row] as number;
  }
  return { gradient: g, hessian: h };
}

function bestSplit(growing: Growing, rows: Uint32Array): { feature: number; atMost: number } | undefined {
  const total = sums(growing, rows);
  const gainOf = (g: number, h: number) => (g * g) / (h + settings.ridge);
  let best: { feature: number; atMost: number } | undefined;
  let bestGain = gainOf(total.gradient, total.hessian) + 1e-9;
  for (const [feature, bins] of growing.bins.entries()) {
    const gradients = new Float64Array(settings.binCount + 2);
    const hessians = new Float64Array(settings.binCount + 2);
    for (const row of rows) {
      const bin = bins[row] as number;
      gradients[bin] = (gradients[bin] as number) + (growing.gradient[row] as number);
      hessians[bin] = (hessians[bin] as number) + (growing.hessian[row] as number);
    }
    let [g, h] = [0, 0];
    for (let atMost = 0; atMost < gradients.length - 1; atMost += 1) {
      g += gradients[atMost] as number;
      h += hessians[atMost] as number;
      if (h < settings.hessianMin || total.hessian - h < settings.hessianMin) continue;
      const gain = gainOf(g, h) + gainOf(total.gradient - g, total.hessian - h);
      if (gain <= bestGain) continue;
      bestGain = gain;
      best = { feature, atMost };
    }
  }
  return best;
}

function valueOf(tree: Tree, binned: readonly number[]): number {
  let at = tree;
  while (!("leaf" in at)) at = (binned[at.feature] as number) <= at.atMost ? at.left : at.right;
  return at.leaf;
}
