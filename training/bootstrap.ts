import { seededRandom } from "./random.ts";

const resamples = 200;

/** 95% confidence interval of the AUC, by a seeded bootstrap over the sessions. */
export function aucInterval(scores: readonly number[], labels: readonly number[], seed: number): [number, number] {
  const random = seededRandom(seed);
  const count = scores.length;
  const order = Uint32Array.from(scores, (_, index) => index);
  order.sort((left, right) => (scores[left] as number) - (scores[right] as number));
  const drawn = new Uint16Array(count);
  const values: number[] = [];
  for (let round = 0; round < resamples; round += 1) {
    drawn.fill(0);
    for (let draw = 0; draw < count; draw += 1) {
      const at = Math.floor(random() * count);
      drawn[at] = (drawn[at] as number) + 1;
    }
    values.push(weightedAuc(order, drawn, scores, labels));
  }
  values.sort((left, right) => left - right);
  const at = (share: number) => values[Math.round(share * (values.length - 1))] as number;
  return [at(0.025), at(0.975)];
}

/** AUC in which session i counts `drawn[i]` times; `order` sorts the sessions by score. */
function weightedAuc(order: Uint32Array, drawn: Uint16Array, scores: readonly number[], labels: readonly number[]) {
  let [zerosBelow, ones, wins] = [0, 0, 0];
  for (let start = 0; start < order.length; ) {
    let [end, tiedZeros, tiedOnes] = [start, 0, 0];
    const score = scores[order[start] as number];
    while (end < order.length && scores[order[end] as number] === score) {
      const index = order[end] as number;
      if (labels[index] === 1) tiedOnes += drawn[index] as number;
      else tiedZeros += drawn[index] as number;
      end += 1;
    }
    wins += tiedOnes * (zerosBelow + tiedZeros / 2);
    zerosBelow += tiedZeros;
    ones += tiedOnes;
    start = end;
  }
  return wins / (ones * zerosBelow);
}
