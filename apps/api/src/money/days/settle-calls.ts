import { msPerDay, startOfDay } from "../../formats/time.ts";
import { readerOf, type Store } from "../../store/store.ts";
import { findHeldAccounts } from "../holds/find-held-accounts.ts";
import { selectAccountsToSettle } from "./days.table.ts";
import type { DaySettlement, DaySettlementOutcome } from "./settle-days.work.ts";

const settleModule = new URL("./settle-days.work.ts", import.meta.url);
const accountsPerPage = 200;

/** Days before this time have been over for `holdDays`. */
export const settlesBeforeMs = (nowMs: number, holdDays: number): number => startOfDay(nowMs - holdDays * msPerDay);

/** When a pending day is confirmed at the earliest. */
export const confirmsAtMs = (day: number, holdDays: number): number => day + (1 + holdDays) * msPerDay;

/**
 * Settles the days of platform-paid calls that have been over for `holdDays`, account by account, unless the account or
 * one that it is linked to has an open hold or finding. `only` names the accounts, where not all are meant. Safe on
 * several nodes at once.
 */
export async function settleCalls(
  store: Store,
  settings: { nowMs: number; holdDays: number; beforeMs?: number | undefined; isOver: () => boolean; only?: ReadonlySet<string> },
): Promise<{ settledDays: number; isMore: boolean }> {
  const { nowMs, isOver, only } = settings;
  const toMs = Math.min(settlesBeforeMs(nowMs, settings.holdDays), settings.beforeMs ?? nowMs);
  let settledDays = 0;
  for (let afterId = ""; ; ) {
    const ids = (await selectAccountsToSettle(store.db, { toMs, afterId, limit: accountsPerPage }).execute()).map((row) => row.account_id);
    const held = await findHeldAccounts(readerOf(store), ids);
    for (const accountId of ids.filter((id) => !held.has(id) && only?.has(id) !== false)) {
      for (let isMore = true; isMore; ) {
        if (isOver()) return { settledDays, isMore: true };
        const outcome = await store.transact<DaySettlement, DaySettlementOutcome>(settleModule, { accountId, toMs, nowMs });
        settledDays += outcome.settledDays;
        ({ isMore } = outcome);
      }
    }
    if (ids.length < accountsPerPage) return { settledDays, isMore: false };
    afterId = ids.at(-1)!;
  }
}
