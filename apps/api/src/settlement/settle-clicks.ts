import type { Store } from "../store/store.ts";
import { confirmClicks } from "./settlement.table.ts";

const msPerDay = 24 * 3_600_000;
const clicksAtOnce = 500;
const roundsMax = 10_000;

/**
 * Confirms the clicks that have been pending for `holdDays`, unless a finding about their account is open.
 * Any number of nodes may do it at once: a click is confirmed by whoever changes its row first.
 */
export async function settleClicks(store: Store, settings: { nowMs: number; holdDays: number }): Promise<number> {
  const { nowMs, holdDays } = settings;
  let confirmed = 0;
  for (let round = 0; round < roundsMax; round += 1) {
    const order = { untilMs: nowMs - holdDays * msPerDay, nowMs, limit: clicksAtOnce };
    const { numUpdatedRows } = await confirmClicks(store.db, order).executeTakeFirstOrThrow();
    confirmed += Number(numUpdatedRows);
    if (numUpdatedRows < clicksAtOnce) break;
  }
  return confirmed;
}
