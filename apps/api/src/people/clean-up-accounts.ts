import { msPerDay } from "../formats/time.ts";
import { deleteMarksErasedBefore, deleteUnlinksErasedBefore } from "../register/payees.table.ts";
import { addUpDeleted, type Deleted, deleteInSteps } from "../store/delete-in-steps.ts";
import type { Store } from "../store/store.ts";
import { eraseSettledAccounts } from "./close-account.ts";
import { deleteLinksExpiredBefore } from "./links.table.ts";
import type { PeopleContext } from "./people-context.ts";
import { deleteChallengesExpiredBefore, deleteSignInsExpiredBefore } from "./sign-ins.table.ts";
import { throttleRetention } from "./throttle.ts";
import { deleteThrottlesBefore, selectThrottlesBefore } from "./throttles.table.ts";

/** For twelve months after its erasure a paid account's bank account is known again, as a keyed hash, when somebody else names it. */
export const marksKeptMs = 365 * msPerDay;

/**
 * Attempts are rows that anybody makes, two with each random address. They are found on a reader and deleted by their keys:
 * the writer, which also bills calls, passes over no row that stays.
 */
async function deleteOldThrottles(store: Store, old: { are: "attempts" | "known_networks"; beforeMs: number; isOver: () => boolean }): Promise<Deleted> {
  const { are, beforeMs, isOver } = old;
  let fromMs = 0;
  return deleteInSteps(async (limit) => {
    const found = await selectThrottlesBefore(store.db, { are, fromMs, beforeMs, limit }).execute();
    if (found.length === 0) return { numDeletedRows: 0n };
    fromMs = found.at(-1)!.updated_at;
    return deleteThrottlesBefore(store.db, { subjects: found.map(({ subject }) => subject), beforeMs }).executeTakeFirst();
  }, isOver);
}

/** Deletes expired sign-ins, challenges, links, throttles and marks of erased accounts, and erases closed accounts whose balance is settled. */
export async function cleanUpAccounts(
  context: Pick<PeopleContext, "store" | "deleteMailFiles">,
  nowMs: number,
  isOver: () => boolean = () => false,
): Promise<{ erased: number; isMore: boolean }> {
  const { store } = context;
  const { db } = store;
  // First: however many rows strangers have made, they delay nobody's erasure.
  const { erased, isMore } = await eraseSettledAccounts(context, nowMs, isOver);
  await store.write([deleteMarksErasedBefore(db, nowMs - marksKeptMs), deleteUnlinksErasedBefore(db, nowMs - marksKeptMs)]);
  const deleted = addUpDeleted([
    await deleteInSteps((limit) => deleteSignInsExpiredBefore(db, { atMs: nowMs, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteChallengesExpiredBefore(db, { atMs: nowMs, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteLinksExpiredBefore(db, { atMs: nowMs, limit }).executeTakeFirst(), isOver),
    await deleteOldThrottles(store, { are: "known_networks", beforeMs: nowMs - throttleRetention.knownNetworksMs, isOver }),
    await deleteOldThrottles(store, { are: "attempts", beforeMs: nowMs - throttleRetention.attemptsMs, isOver }),
  ]);
  return { erased, isMore: isMore || deleted.isMore };
}
