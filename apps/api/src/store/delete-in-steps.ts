const rowsPerStep = 2_000;

/** `isMore`: whether rows may be left. */
export type Deleted = { deleted: number; isMore: boolean };

/** Deletes in small steps, so that no call waits long behind one, until nothing is left or `isOver`. */
export async function deleteInSteps(
  step: (limit: number) => Promise<{ numDeletedRows: bigint }>,
  isOver: () => boolean,
): Promise<Deleted> {
  let deleted = 0;
  while (!isOver()) {
    const { numDeletedRows } = await step(rowsPerStep);
    deleted += Number(numDeletedRows);
    if (numDeletedRows < rowsPerStep) return { deleted, isMore: false };
  }
  return { deleted, isMore: true };
}

export const addUpDeleted = (steps: readonly Deleted[]): Deleted => ({
  deleted: steps.reduce((sum, step) => sum + step.deleted, 0),
  isMore: steps.some((step) => step.isMore),
});
