/*
 * Metrics of discrimination and calibration. Training and the offline `score` command share them, so that the
 * same name means the same figure in both.
 */

/** Area under the ROC curve: how often a session labelled 1 outscores one labelled 0, ties counting half. */
export function aucOf(scores: ArrayLike<number>, labels: ArrayLike<number>): number {
  const order = Uint32Array.from({ length: scores.length }, (_, index) => index);
  order.sort((left, right) => (scores[left] as number) - (scores[right] as number));
  let positives = 0;
  let rankSum = 0;
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    const score = scores[order[start] as number] as number;
    while (end < order.length && scores[order[end] as number] === score) end += 1;
    const rank = (start + 1 + end) / 2;
    for (let at = start; at < end; at += 1) {
      if (labels[order[at] as number] !== 1) continue;
      positives += 1;
      rankSum += rank;
    }
    start = end;
  }
  const negatives = order.length - positives;
  if (positives === 0 || negatives === 0) return Number.NaN;
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/** One bin of a reliability curve: mean predicted probability, observed share, and weight among all bins. */
export type ReliabilityBin = { said: number; seen: number; weight: number };

export type ReliabilityOptions = {
  /** Maximum number of bins of about equal weight, from the lowest probability to the highest; default 10. */
  binCount?: number;
  /** Reweights the labels so that ones make up this share; absent: no reweighting. */
  prior?: number;
};

/** Reliability curve of `probabilities`; equal probabilities never fall into two bins. */
export function reliabilityOf(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  options: ReliabilityOptions = {},
): ReliabilityBin[] {
  const { binCount = 10, prior } = options;
  const [zeroWeight, oneWeight] = labelWeights(labels, prior);
  const order = Uint32Array.from({ length: probabilities.length }, (_, index) => index);
  order.sort((left, right) => (probabilities[left] as number) - (probabilities[right] as number));
  const bins: ReliabilityBin[] = [];
  let [said, seen, weight, total] = [0, 0, 0, 0];
  let binEnd = 1 / binCount;
  for (let at = 0; at < order.length; at += 1) {
    const index = order[at] as number;
    const share = labels[index] === 1 ? oneWeight : zeroWeight;
    said += share * (probabilities[index] as number);
    seen += labels[index] === 1 ? share : 0;
    weight += share;
    total += share;
    const isLast = at === order.length - 1;
    const isTied = !isLast && probabilities[order[at + 1] as number] === probabilities[index];
    if (!isLast && (isTied || total < binEnd)) continue;
    bins.push({ said: said / weight, seen: seen / weight, weight });
    [said, seen, weight] = [0, 0, 0];
    // Many equal probabilities may fill several bins at once: the next bin starts after them.
    binEnd = (Math.floor(total * binCount) + 1) / binCount;
  }
  return bins;
}

/** Weights of label 0 and label 1, which add up to 1 over all labels. */
function labelWeights(labels: ArrayLike<number>, prior: number | undefined): [number, number] {
  let ones = 0;
  for (let index = 0; index < labels.length; index += 1) if (labels[index] === 1) ones += 1;
  const zeros = labels.length - ones;
  if (prior === undefined || ones === 0 || zeros === 0) return [1 / labels.length, 1 / labels.length];
  return [(1 - prior) / zeros, prior / ones];
}

/** Weighted mean distance between predicted and observed over the bins of the reliability curve. */
export function expectedCalibrationErrorOf(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  options: ReliabilityOptions = {},
): number {
  const bins = reliabilityOf(probabilities, labels, options);
  return bins.reduce((sum, bin) => sum + bin.weight * Math.abs(bin.said - bin.seen), 0);
}
