import type { Store } from "../../store/store.ts";
import { confirmClicks } from "./clicks.table.ts";
import { msPerDay } from "../../formats/time.ts";

const clicksAtOnce = 500;

/**
 * Confirms the clicks that have been pending for `holdDays`, unless a finding about their account is open.
 * Any number of nodes may do it at once: a click is confirmed by whoever changes its row first.
 */
export async function settleClicks(
  store: Store,
  settings: { nowMs: number; holdDays: number; isOver: () => boolean },
): Promise<{ confirmed: number; isMore: boolean }> {
  const { nowMs, holdDays, isOver } = settings;
  let confirmed = 0;
  while (!isOver()) {
    const order = { untilMs: nowMs - holdDays * msPerDay, nowMs, limit: clicksAtOnce };
    const { numUpdatedRows } = await confirmClicks(store.db, order).executeTakeFirstOrThrow();
    confirmed += Number(numUpdatedRows);
    if (numUpdatedRows < clicksAtOnce) return { confirmed, isMore: false };
  }
  return { confirmed, isMore: true };
}
