import { setTimeout as sleep } from "node:timers/promises";
import { msPerHour } from "../../formats/time.ts";
import { selectActiveAccounts } from "../../money/ledger/ledger.table.ts";
import type { Store } from "../../store/store.ts";
import { emptySummary, writeSummary } from "./session-summary.ts";
import { type RowBudget, completeHoursEndMs, summariseWindow } from "./summarise-window.ts";
import { insertHours, selectHoursToSum } from "./traffic.table.ts";

/** An installation that was down for less than this catches up. */
const lookBackHours = 48;
const accountsPerPage = 500;
const rowsPerRound = 5_000_000;
/** After each hour the job rests as long as that took, up to this: catching up takes at most half a core. */
const restMsMax = 1_000;

export type SumUpSettings = { nowMs: number; retainedFromMs: number; isOver: () => boolean };

async function sumUpHour(store: Store, hour: { accountId: string; hourMs: number }, settings: SumUpSettings & { budget: RowBudget }): Promise<void> {
  const { accountId, hourMs } = hour;
  const window = { accountId, fromMs: hourMs, toMs: hourMs + msPerHour };
  const { summary, complete } = await summariseWindow(store, window, settings);
  // Stores an empty summary for an hour without sessions; otherwise every round would read it again.
  const isEmpty = complete && summary.sessions === 0 && hourMs >= settings.retainedFromMs;
  if (isEmpty) await insertHours(store.db, [{ account_id: accountId, hour: hourMs, summary: writeSummary(emptySummary()) }]).execute();
}

/** Summarises the hours that ended since the last round, so that no request has to. */
export async function sumUpHours(store: Store, settings: SumUpSettings): Promise<{ hours: number; isMore: boolean }> {
  const toMs = completeHoursEndMs(settings.nowMs);
  const fromMs = toMs - lookBackHours * msPerHour;
  const budget = { rowsLeft: rowsPerRound };
  let afterId = "";
  let summed = 0;
  for (let isMore = true; isMore; ) {
    const accounts = await selectActiveAccounts(store.db, { sinceMs: fromMs, afterId, limit: accountsPerPage }).execute();
    for (const { account_id: accountId } of accounts) {
      const hours = await selectHoursToSum(store.db, { accountId, fromMs, toMs }).execute();
      for (const { hour } of hours) {
        // A round that made no progress would make none if it were repeated at once.
        if (settings.isOver() || budget.rowsLeft === 0) return { hours: summed, isMore: settings.isOver() || summed > 0 };
        const startedMs = performance.now();
        await sumUpHour(store, { accountId, hourMs: hour }, { ...settings, budget });
        summed += 1;
        await sleep(Math.min(restMsMax, performance.now() - startedMs));
      }
      afterId = accountId;
    }
    isMore = accounts.length === accountsPerPage;
  }
  return { hours: summed, isMore: false };
}
