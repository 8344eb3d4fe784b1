/** Callers name categories freely. Past so many new names a node learns no more of them apart from the rest. */
const namesMax = 1_000;

export type CategoryNames = {
  /** The name to keep: what was asked for, or `known` (what the auction takes it for) when there are too many. */
  keep(category: string, known: string): string;
};

/** Bounds how many rows of click rates strangers can make us keep. */
export function createCategoryNames(): CategoryNames {
  const names = new Set<string>();
  return {
    keep(category, known) {
      if (category === known || names.has(category)) return category;
      if (names.size >= namesMax) return known;
      names.add(category);
      return category;
    },
  };
}
