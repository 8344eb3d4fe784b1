import type { PeopleContext } from "./people-context.ts";
import { eraseSettledAccounts } from "./close-account.ts";
import { deleteLinksExpiredBefore } from "./links.table.ts";
import { deleteChallengesExpiredBefore, deleteSignInsExpiredBefore } from "./sign-ins.table.ts";
import { throttleMemoryMs } from "./throttle.ts";
import { deleteThrottlesBefore } from "./throttles.table.ts";

/** What is past its time goes, and closed accounts that are settled are erased. */
export async function keepAccounts(context: Pick<PeopleContext, "store" | "forgetMails">, nowMs: number): Promise<{ erased: number; isMore: boolean }> {
  const { store } = context;
  await store.write([
    deleteSignInsExpiredBefore(store.db, nowMs),
    deleteChallengesExpiredBefore(store.db, nowMs),
    deleteLinksExpiredBefore(store.db, nowMs),
    deleteThrottlesBefore(store.db, nowMs - throttleMemoryMs),
  ]);
  return eraseSettledAccounts(context, nowMs);
}
