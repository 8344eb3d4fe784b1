/** Chance that can be had again: the same seed gives the same numbers. */
export type SeededRandom = {
  seed: number;
  /** From 0 up to, but never, 1. */
  next(): number;
  /** A whole number; both ends are possible. */
  between(from: number, to: number): number;
  isTrue(share: number): boolean;
};

const seedMax = 2 ** 31;

/** Takes the seed given, else that of ASSAY_TEST_SEED, or a new one; whoever uses a new one prints it. */
export function createSeededRandom(given = Number(process.env.ASSAY_TEST_SEED)): SeededRandom {
  const seed = Number.isInteger(given) && given > 0 ? given : Math.floor(Math.random() * seedMax);
  let state = seed;

  // Mulberry32: 32 bits of state, and good enough to choose a moment.
  function next(): number {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    seed,
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    isTrue: (share) => next() < share,
  };
}
