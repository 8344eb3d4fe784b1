export type WeightedPoint = { x: number; y: number; weight: number };

/** More blocks would fit noise and enlarge the artefact. */
const blocksMax = 30;

/**
 * Isotonic regression by pool adjacent violators, as knots for linear interpolation: each block of equal height
 * becomes one knot at its mean x. x is rounded to thousandths first, heights to ten-thousandths.
 */
export function fitIsotonic(points: readonly WeightedPoint[]): { raw: number[]; shown: number[] } {
  const blocks: WeightedPoint[] = [];
  for (const point of pooledByX(points)) {
    let block = point;
    for (let last = blocks.at(-1); last !== undefined && last.y >= block.y; last = blocks.at(-1)) {
      block = merged(last, block);
      blocks.pop();
    }
    blocks.push(block);
  }
  while (blocks.length > blocksMax) mergeLightest(blocks);
  return {
    raw: blocks.map((block) => Math.round(block.x * 1000) / 1000),
    shown: blocks.map((block) => Math.round(block.y * 10_000) / 10_000),
  };
}

function pooledByX(points: readonly WeightedPoint[]): WeightedPoint[] {
  const sums = new Map<number, WeightedPoint>();
  for (const { x, y, weight } of points) {
    const key = Math.round(x * 1000);
    const known = sums.get(key);
    sums.set(key, known === undefined ? { x: key / 1000, y, weight } : merged(known, { x: key / 1000, y, weight }));
  }
  return [...sums.values()].toSorted((left, right) => left.x - right.x);
}

function merged(left: WeightedPoint, right: WeightedPoint): WeightedPoint {
  const weight = left.weight + right.weight;
  return {
    x: (left.x * left.weight + right.x * right.weight) / weight,
    y: (left.y * left.weight + right.y * right.weight) / weight,
    weight,
  };
}

/** Merges the lightest block with the neighbour of nearer height, which keeps the heights ascending. */
function mergeLightest(blocks: WeightedPoint[]): void {
  let lightest = 0;
  for (const [index, block] of blocks.entries()) {
    if (block.weight < (blocks[lightest] as WeightedPoint).weight) lightest = index;
  }
  const block = blocks[lightest] as WeightedPoint;
  const before = blocks[lightest - 1];
  const after = blocks[lightest + 1];
  const joinsBefore = after === undefined || (before !== undefined && block.y - before.y < after.y - block.y);
  const start = joinsBefore ? lightest - 1 : lightest;
  blocks.splice(start, 2, merged(blocks[start] as WeightedPoint, blocks[start + 1] as WeightedPoint));
}
