/** Reproducible random numbers: the same seed gives the same sequence. */
export type SeededRandom = {
  seed: number;
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer between both ends, inclusive. */
  between(from: number, to: number): number;
  isTrue(share: number): boolean;
};

const seedMax = 2 ** 31;

/** Uses the given seed, that of ASSAY_TEST_SEED, or a new one, which the caller should print. */
export function createSeededRandom(given = Number(process.env.ASSAY_TEST_SEED)): SeededRandom {
  const seed = Number.isInteger(given) && given > 0 ? given : Math.floor(Math.random() * seedMax);
  let state = seed;

  // Mulberry32: 32 bits of state, good enough for tests.
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
