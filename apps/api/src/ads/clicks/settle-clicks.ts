import { msPerDay } from "../../formats/time.ts";
import { findHeldAccounts } from "../../money/holds/find-held-accounts.ts";
import { readerOf, type Store } from "../../store/store.ts";
import { confirmClicks, selectAccountsOfDueClicks } from "./clicks.table.ts";

const clicksAtOnce = 500;
const accountsPerPage = 500;

/** Accounts whose due clicks wait because they, or accounts that they are linked to, have an open finding or hold. */
async function findHeld(store: Store, untilMs: number): Promise<string[]> {
  const held: string[] = [];
  for (let afterId = ""; ; ) {
    const ids = (await selectAccountsOfDueClicks(store.db, { untilMs, afterId, limit: accountsPerPage }).execute()).map((row) => row.account_id);
    held.push(...(await findHeldAccounts(readerOf(store), ids)));
    if (ids.length < accountsPerPage) return held;
    afterId = ids.at(-1)!;
  }
}

/** Confirms clicks that have been pending for `holdDays`, unless their account, or one that it is linked to, has an open finding or hold. Safe on several nodes at once. */
export async function settleClicks(
  store: Store,
  settings: { nowMs: number; holdDays: number; beforeMs?: number; isOver: () => boolean },
): Promise<{ confirmed: number; isMore: boolean }> {
  const { nowMs, holdDays, isOver } = settings;
  const untilMs = Math.min(nowMs - holdDays * msPerDay, (settings.beforeMs ?? Number.POSITIVE_INFINITY) - 1);
  const exceptOf = await findHeld(store, untilMs);
  let confirmed = 0;
  while (!isOver()) {
    const due = { untilMs, nowMs, limit: clicksAtOnce, exceptOf };
    const { numUpdatedRows } = await confirmClicks(store.db, due).executeTakeFirstOrThrow();
    confirmed += Number(numUpdatedRows);
    if (numUpdatedRows < clicksAtOnce) return { confirmed, isMore: false };
  }
  return { confirmed, isMore: true };
}
