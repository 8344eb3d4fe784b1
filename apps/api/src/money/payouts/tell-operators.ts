import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { type NewEvent, operators } from "../../webhooks/events/write-events.ts";
import { writeOnce } from "../../webhooks/events/write-once.ts";
import { realMoney } from "../ledger/pools.ts";
import { findWaiting } from "./list-reviews.ts";
import { listCandidates, type PayoutSettings } from "./propose-payouts.ts";
import { readPlatformMoney } from "./platform-money.ts";

/** Tells the developer and the operators of money that waits for a review, once per account and month. */
async function tellReviews(store: Store, settings: PayoutSettings): Promise<number> {
  const { month, candidates } = await listCandidates(store, settings, realMoney);
  let told = 0;
  for (const candidate of candidates) {
    const waitingMicroUsd = findWaiting(candidate);
    if (waitingMicroUsd === 0) continue;
    const { accountId } = candidate;
    const data = { account_id: accountId, waiting_usd: usdOf(waitingMicroUsd) };
    const once = { onceKey: `review.needed:${accountId}:${month.name}`, nowMs: settings.nowMs };
    for (const audience of [accountId, operators]) {
      if ((await writeOnce(store, { audience, type: "review.needed", data }, once)) === "written") told += 1;
    }
  }
  return told;
}

/** Tells the operators once per day that the funds do not cover what developers have earned and can no longer lose. */
async function tellFunding(store: Store, nowMs: number): Promise<number> {
  const money = await readPlatformMoney(store, realMoney);
  const owedMicroUsd = money.earnedMicroUsd - money.pendingMicroUsd - money.paidMicroUsd - money.underWayMicroUsd;
  if (owedMicroUsd <= 0 || money.availableMicroUsd >= owedMicroUsd) return 0;
  const event: NewEvent = { audience: operators, type: "funding.low", data: { available_usd: usdOf(money.availableMicroUsd), owed_usd: usdOf(owedMicroUsd) } };
  return (await writeOnce(store, event, { onceKey: `funding.low:${isoTime(nowMs).slice(0, "YYYY-MM-DD".length)}`, nowMs })) === "written" ? 1 : 0;
}

/** What the sums over all accounts say, and no single transaction knows. */
export const tellMoney = async (store: Store, settings: PayoutSettings): Promise<number> => (await tellReviews(store, settings)) + (await tellFunding(store, settings.nowMs));
