const rowsPerStep = 100;

/** `left`: rows that only a secret of SECRET_KEY_PREVIOUS opens. `unreadable`: those that no known secret opens. */
export type Resealed = { resealed: number; left: number; unreadable: number };

export type Steps<Row> = {
  /** The next rows, in the order of their keys, that the current secret has not sealed. */
  select: (page: { after: string; limit: number }) => Promise<Row[]>;
  keyOf: (row: Row) => string;
  /** "lost": somebody else changed the row meanwhile. */
  reseal: (row: Row) => Promise<"resealed" | "lost" | "unreadable">;
  /** Ends the run: what was not seen counts as left. */
  isOver: () => boolean;
};

/** Seals rows again with the current secret, a few at a time. Each write compares the row with what was read, so two nodes may do it at once. */
export async function resealInSteps<Row>({ select, keyOf, reseal, isOver }: Steps<Row>): Promise<Resealed> {
  const sum = { resealed: 0, left: 0, unreadable: 0 };
  let after = "";
  while (true) {
    const rows = await select({ after, limit: rowsPerStep });
    if (isOver()) return { ...sum, left: sum.left + rows.length };
    for (const row of rows) {
      const outcome = await reseal(row);
      sum[outcome === "lost" ? "left" : outcome] += 1;
      after = keyOf(row);
    }
    if (rows.length < rowsPerStep) return sum;
  }
}

export const addUpResealed = (parts: readonly Resealed[]): Resealed => ({
  resealed: parts.reduce((sum, part) => sum + part.resealed, 0),
  left: parts.reduce((sum, part) => sum + part.left, 0),
  unreadable: parts.reduce((sum, part) => sum + part.unreadable, 0),
});
