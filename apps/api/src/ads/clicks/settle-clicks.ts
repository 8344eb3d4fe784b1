import { msPerDay } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { confirmClicks } from "./clicks.table.ts";

const clicksAtOnce = 500;

/** Confirms clicks that have been pending for `holdDays`, unless their account has an open finding or hold. Safe on several nodes at once. */
export async function settleClicks(
  store: Store,
  settings: { nowMs: number; holdDays: number; isOver: () => boolean },
): Promise<{ confirmed: number; isMore: boolean }> {
  const { nowMs, holdDays, isOver } = settings;
  let confirmed = 0;
  while (!isOver()) {
    const due = { untilMs: nowMs - holdDays * msPerDay, nowMs, limit: clicksAtOnce };
    const { numUpdatedRows } = await confirmClicks(store.db, due).executeTakeFirstOrThrow();
    confirmed += Number(numUpdatedRows);
    if (numUpdatedRows < clicksAtOnce) return { confirmed, isMore: false };
  }
  return { confirmed, isMore: true };
}
