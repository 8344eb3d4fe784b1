import { msPerDay } from "../../formats/time.ts";
import { selectDate } from "../../money/corrections/corrections.table.ts";
import { readDailyAllowances, recordWaiting } from "../../money/unexamined/record-waiting.ts";
import { selectClickOrders } from "../../money/waiting/waiting.table.ts";
import type { Store } from "../../store/store.ts";

/** So many clicks of one network and day settle by themselves, or this part of the account's, if that is more. A carrier's network is many people. */
export const crowdedClicksMin = 10;
export const crowdedPart = 0.05;

export const crowdedMaxOf = (clicks: number): number => Math.max(crowdedClicksMin, Math.floor(crowdedPart * clicks));

/** Sets aside the clicks of a complete day that came from networks which had sent many before. The same if it is done again. */
export async function holdCrowded(store: Store, place: { accountId: string; day: number }, nowMs: number): Promise<{ described: number; known: number }> {
  const rows = await selectClickOrders(store.db, { accountId: place.accountId, fromMs: place.day, toMs: place.day + msPerDay }).execute();
  const settled = crowdedMaxOf(rows.length);
  // Clicks of which no network is known count as one: losing an order gains nothing. Those of before the upgrade have none.
  const ordersFromMs = (await selectDate(store.db, "click_orders_from").executeTakeFirst())?.at ?? 0;
  let unknown = 0;
  const orderOf = (order: number | null) => order ?? (place.day < ordersFromMs ? 0 : (unknown += 1));
  const crowded = rows.map((row) => ({ ...row, order: orderOf(row.network_order) })).filter((row) => row.order > settled && row.status === "pending" && row.waiting_id === null);
  const allowedMicroUsd = crowded.length === 0 ? 0 : ((await readDailyAllowances(store, place.accountId)).get("crowded_network") ?? 0);
  let leftMicroUsd = allowedMicroUsd;
  const waiting = crowded.filter(({ developer_micro: microUsd }) => {
    leftMicroUsd -= microUsd;
    return leftMicroUsd < 0;
  });
  if (waiting.length > 0) {
    const detail = { kind: "crowded_network", clicks: rows.length, settled } as const;
    const developerMicroUsd = waiting.reduce((sum, row) => sum + row.developer_micro, 0);
    await recordWaiting(store, { ...place, found: [{ detail, items: waiting.length, developerMicroUsd, offerIds: waiting.map((row) => row.offer_id) }], nowMs });
  }
  const known = rows.filter((row) => row.described !== null);
  return { described: known.filter((row) => row.described === 1).length, known: known.length };
}
