import { eraseSettledAccounts } from "./close-account.ts";
import { deleteLinksExpiredBefore } from "./links.table.ts";
import type { PeopleContext } from "./people-context.ts";
import { deleteChallengesExpiredBefore, deleteSignInsExpiredBefore } from "./sign-ins.table.ts";
import { throttleRetentionMs } from "./throttle.ts";
import { deleteThrottlesBefore } from "./throttles.table.ts";

/** Deletes expired sign-ins, challenges, links and throttles, and erases closed accounts whose balance is settled. */
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
  ]);
  return eraseSettledAccounts(context, nowMs, isOver);
}
