import { settleClicks } from "../../ads/clicks/settle-clicks.ts";
import { settleCalls } from "../../money/days/settle-calls.ts";
import { type GrowthLimits, growthLimitsOf } from "../../money/growth/read-growth.ts";
import { demoMoney } from "../../money/ledger/pools.ts";
import { exportPayouts } from "../../money/payouts/export-payouts.ts";
import { lastPayableMonth, payableFromMs } from "../../money/payouts/money-states.ts";
import { movePayouts } from "../../money/payouts/move-payouts.ts";
import { proposePayouts } from "../../money/payouts/propose-payouts.ts";
import { startOfDay } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";

export type PastSettings = GrowthLimits & { callHoldDays: number; clickHoldDays: number; minimumMicroUsd: number };

const isOver = () => false;
/** Nobody in particular. */
const operator = { actorAccountId: null, fourEyes: false };

/** What the service's jobs would have done for demo accounts at a past time. */
export async function runPastJobs(store: Store, settings: PastSettings & { accountIds: ReadonlySet<string>; nowMs: number }): Promise<void> {
  const { accountIds: only, nowMs } = settings;
  await settleCalls(store, { nowMs, holdDays: settings.callHoldDays, isOver, only });
  await settleClicks(store, { nowMs, holdDays: settings.clickHoldDays, isOver });
}

/** On the day when a month became payable: pays it if a later one is payable by now, else leaves it proposed. */
export async function payPastMonth(store: Store, settings: PastSettings & { pastMs: number; nowMs: number }): Promise<void> {
  const { pastMs, nowMs, minimumMicroUsd, unreviewedMonthlyMicroUsd } = settings;
  if (startOfDay(pastMs) !== payableFromMs(lastPayableMonth(pastMs).endMs)) return;
  const { proposed } = await proposePayouts(store, { ...growthLimitsOf(settings), nowMs: pastMs, minimumMicroUsd, actorAccountId: null, pools: [demoMoney] });
  if (lastPayableMonth(pastMs).endMs === lastPayableMonth(nowMs).endMs) return;
  const payoutIds = proposed.map(({ id }) => id);
  const actor = { ...operator, unreviewedMonthlyMicroUsd, nowMs: pastMs };
  await movePayouts(store, { ...actor, payoutIds, to: "approved", note: null });
  await exportPayouts(store, { ...actor, pools: [demoMoney] });
  await movePayouts(store, { ...actor, payoutIds, to: "paid", note: "demo" });
}
