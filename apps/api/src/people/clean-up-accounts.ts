import { msPerDay } from "../formats/time.ts";
import { deleteMarksErasedBefore, deleteUnlinksErasedBefore } from "../register/payees.table.ts";
import { eraseSettledAccounts } from "./close-account.ts";
import { deleteLinksExpiredBefore } from "./links.table.ts";
import type { PeopleContext } from "./people-context.ts";
import { deleteChallengesExpiredBefore, deleteSignInsExpiredBefore } from "./sign-ins.table.ts";
import { throttleRetentionMs } from "./throttle.ts";
import { deleteThrottlesBefore } from "./throttles.table.ts";

/** For twelve months after its erasure a paid account's bank account is known again, as a keyed hash, when somebody else names it. */
export const marksKeptMs = 365 * msPerDay;

/** Deletes expired sign-ins, challenges, links, throttles and marks of erased accounts, and erases closed accounts whose balance is settled. */
export async function cleanUpAccounts(
  context: Pick<PeopleContext, "store" | "deleteMailFiles">,
  nowMs: number,
  isOver: () => boolean = () => false,
): Promise<{ erased: number; isMore: boolean }> {
  const { store } = context;
  await store.write([
    deleteSignInsExpiredBefore(store.db, nowMs),
    deleteChallengesExpiredBefore(store.db, nowMs),
    deleteLinksExpiredBefore(store.db, nowMs),
    deleteThrottlesBefore(store.db, nowMs - throttleRetentionMs),
    deleteMarksErasedBefore(store.db, nowMs - marksKeptMs),
    deleteUnlinksErasedBefore(store.db, nowMs - marksKeptMs),
  ]);
  return eraseSettledAccounts(context, nowMs, isOver);
}
