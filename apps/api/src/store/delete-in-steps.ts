const deletesAtOnce = 2_000;

export type Deleted = { deleted: number; isMore: boolean };

/**
 * Deletes in small steps, so that no call waits long behind one. Ends when nothing is left, or when `isOver`; tells how
 * many rows went and whether there may be more.
 */
export async function deleteInSteps(
  step: (limit: number) => Promise<{ numDeletedRows: bigint }>,
  isOver: () => boolean,
): Promise<Deleted> {
  let deleted = 0;
  while (!isOver()) {
    const { numDeletedRows } = await step(deletesAtOnce);
    deleted += Number(numDeletedRows);
    if (numDeletedRows < deletesAtOnce) return { deleted, isMore: false };
  }
  return { deleted, isMore: true };
}

/** What several deletions came to. */
export const addUpDeleted = (steps: readonly Deleted[]): Deleted => ({
  deleted: steps.reduce((sum, step) => sum + step.deleted, 0),
  isMore: steps.some((step) => step.isMore),
});
