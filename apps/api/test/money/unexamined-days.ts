/** Days of calls and clicks of which a part waits. */
import { currentModel } from "@assay/scoring/current-model.ts";
import assert from "node:assert/strict";
import type { Click, ClickOutcome } from "../../src/ads/clicks/decide-clicks.work.ts";
import { recordClickOrigins } from "../../src/ads/clicks/record-origins.ts";
import { msPerDay, msPerMinute } from "../../src/formats/time.ts";
import { timeOrderedId } from "../../src/ids/time-ordered-id.ts";
import { settleCalls } from "../../src/money/days/settle-calls.ts";
import { findMoneyStates } from "../../src/money/payouts/money-states.ts";
import { readMoneyOf } from "../../src/money/payouts/read-account-money.ts";
import { readerOf, type Store } from "../../src/store/store.ts";
import { makeCampaign } from "../ads/serving/make-campaign.ts";
import { makeOffer } from "../ads/serving/make-offers.ts";
import { idAt } from "../id-at.ts";
import { makeCharge, makeCharger } from "../make-charge.ts";

/** In the past, so that a running service finds the month payable. */
export const day = Date.UTC(2026, 0, 10);
export const payday = Date.UTC(2026, 1, 15);
export const perCallMicroUsd = 34_000;
const unreviewedMonthlyMicroUsd = 350_000_000;
export const isOver = () => false;
const decideClicks = new URL("../../src/ads/clicks/decide-clicks.work.ts", import.meta.url);

type Signals = Parameters<typeof currentModel.score>[0];
export const allTelling: Signals = { user_engagement: 0.7, session_duration: 125, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: false };
/** As a quiz that measures in steps of 5 s and knows no scrolling leaves them. */
export const coarse: Signals = { user_engagement: 0.75, session_duration: 120, interaction_count: 10, page_views: 2, return_visitor: false };

/** Calls a second apart, all on one day. `idsAheadMs`: their records are of a time so long after they were booked. */
export async function call(store: Store, accountId: string, calls: { count: number; signals?: Signals | ((index: number) => Signals); endpoint?: string; startMs?: number; idsAheadMs?: number }) {
  const { count, signals, endpoint = "predict", startMs = day + msPerMinute, idsAheadMs = 0 } = calls;
  const clock = { nowMs: startMs };
  const charger = makeCharger(store, clock);
  const waiting: Promise<unknown>[] = [];
  for (let index = 0; index < count; index += 1) {
    const atMs = startMs + index * 1_000;
    clock.nowMs = atMs;
    const each = typeof signals === "function" ? signals(index) : signals;
    const verdict = each && { signals: each, score: currentModel.score(each), processingTimeMs: 0.5, modelVersion: currentModel.version, calibration: null };
    waiting.push(charger.charge(makeCharge({ accountId, atMs, ref: verdict ? idAt(atMs + idsAheadMs) : timeOrderedId("an", atMs), endpoint, verdict })));
    if (index % 50 === 49) await waiting.at(-1);
  }
  await Promise.all(waiting);
  await charger.drain();
}

export const person = (index: number): Signals => ({ ...allTelling, session_duration: 10 + index * 1.37, user_engagement: ((index * 7_919) % 9_973) / 9_973 });
export const settle = (store: Store) => settleCalls(store, { nowMs: payday, holdDays: 14, isOver });

export async function statesOf(store: Store, accountId: string) {
  const [money] = await readMoneyOf(readerOf(store), { accountIds: [accountId], nowMs: payday, minimumMicroUsd: 1, unreviewedMonthlyMicroUsd });
  const { waiting, payableMicroUsd, pendingMicroUsd } = findMoneyStates(money!.sums, { ...money!.facts, hasPayee: true });
  return { waiting, payableMicroUsd, pendingMicroUsd, granted: money!.growth.grantedMicroUsd };
}

export const listWaiting = (store: Store, accountId: string) => store.db.selectFrom("waiting_earnings").selectAll().where("account_id", "=", accountId).orderBy("reason").execute();

export const clickMicroUsd = 68_000;

/** Clicks paid by the real transaction, and noted as the route notes them. */
export async function click(store: Store, accountId: string, addresses: readonly string[], startMs = day + 3_600_000) {
  const campaign = await makeCampaign(store, { budget_micro: 1_000_000_000_000, starts_at: 0 });
  const clock = { nowMs: startMs };
  const tagger = { tagsOf: (address: string) => ({ today: address, yesterday: undefined }) };
  const origins = recordClickOrigins(store, { tagger, sharedOf: undefined, nowMs: () => clock.nowMs, onError: (error) => assert.fail(String(error)) });
  for (const [index, address] of addresses.entries()) {
    // Unevenly, as people do.
    const atMs = startMs + index * 2 * msPerMinute + (index % 7) * 11_000;
    const offer = await makeOffer(store, { accountId, campaign, atMs: atMs - msPerMinute, price_micro: 100_000, developer_micro: clickMicroUsd });
    const [outcome] = await store.transact<{ clicks: Click[] }, ClickOutcome[]>(decideClicks, { clicks: [{ offerId: offer.id, atMs, agent: "person" }] });
    assert.equal(outcome?.verdict, "paid");
    origins.note({ offerId: offer.id, accountId: outcome.accountId, address, atMs, isDescribed: false });
  }
  clock.nowMs += msPerDay;
  await origins.flush();
  await origins.stop();
  return campaign;
}
