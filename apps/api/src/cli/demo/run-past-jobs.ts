import { watchClicks } from "../../ads/clicks/watch-clicks.ts";
import { settleClicks } from "../../ads/clicks/settle-clicks.ts";
import { settleCalls } from "../../money/days/settle-calls.ts";
import { demoMoney } from "../../money/ledger/pools.ts";
import { exportPayouts } from "../../money/payouts/export-payouts.ts";
import { lastPayableMonth, payableFromMs } from "../../money/payable-months.ts";
import { movePayouts } from "../../money/payouts/move-payouts.ts";
import { type PayoutSettings, proposePayouts } from "../../money/payouts/propose-payouts.ts";
import { startOfDay } from "../../formats/time.ts";
import { currentPeople } from "@assay/scoring/current-model.ts";
import { sumUpHours } from "../../scoring/traffic/sum-up-hours.ts";
import { watchSessions } from "../../scoring/traffic/watch-sessions.ts";
import type { Store } from "../../store/store.ts";

export type PastSettings = Omit<PayoutSettings, "nowMs"> & { callHoldDays: number; clickHoldDays: number };

const isOver = () => false;
/** Nobody in particular. */
const operator = { actorAccountId: null, fourEyes: false };

/** What the service's jobs would have done for demo accounts at a past time. */
export async function runPastJobs(store: Store, settings: PastSettings & { accountIds: ReadonlySet<string>; nowMs: number; random: () => number }): Promise<void> {
  const { accountIds: only, nowMs, random } = settings;
  await watchSessions(store, { nowMs, people: currentPeople, random, isOver, only });
  await settleCalls(store, { nowMs, holdDays: settings.callHoldDays, isOver, only });
  await sumUpHours(store, { nowMs, retainedFromMs: 0, isOver });
  await watchClicks(store, { nowMs, isOver, only });
  await settleClicks(store, { nowMs, holdDays: settings.clickHoldDays, isOver });
}

/** On the day when a month became payable: pays it if a later one is payable by now, else leaves it proposed. */
export async function payPastMonth(store: Store, settings: PastSettings & { pastMs: number; nowMs: number }): Promise<void> {
  const { pastMs, nowMs, minimumMicroUsd, unreviewedMonthlyMicroUsd, unreviewedTotalMonthlyMicroUsd } = settings;
  if (startOfDay(pastMs) !== payableFromMs(lastPayableMonth(pastMs).endMs)) return;
  const rules = { minimumMicroUsd, unreviewedMonthlyMicroUsd, unreviewedTotalMonthlyMicroUsd };
  const { proposed } = await proposePayouts(store, { ...rules, nowMs: pastMs, actorAccountId: null, pools: [demoMoney] });
  if (lastPayableMonth(pastMs).endMs === lastPayableMonth(nowMs).endMs) return;
  const payoutIds = proposed.map(({ id }) => id);
  const step = { ...operator, unreviewedMonthlyMicroUsd, nowMs: pastMs };
  await movePayouts(store, { ...step, payoutIds, to: "approved", note: null });
  await exportPayouts(store, { ...step, pools: [demoMoney] });
  await movePayouts(store, { ...step, payoutIds, to: "paid", note: "demo" });
}
