/** Clicks that nobody made, through the service's own transactions: offers, impressions, decisions, and the order of each network. */
import type { Click, ClickOutcome } from "../../apps/api/src/ads/clicks/decide-clicks.work.ts";
import type { Impression, ImpressionOutcome } from "../../apps/api/src/ads/clicks/count-impressions.work.ts";
import { recordClickOrigins } from "../../apps/api/src/ads/clicks/record-origins.ts";
import { msPerDay, msPerHour } from "../../apps/api/src/formats/time.ts";
import type { Placement } from "../../apps/api/src/store/schema-ads.ts";
import type { Store } from "../../apps/api/src/store/store.ts";
import { makeCampaign } from "../../apps/api/test/ads/serving/make-campaign.ts";
import { makeOffers } from "../../apps/api/test/ads/serving/make-offers.ts";
import type { Draws } from "../../apps/api/test/scoring/draw-sessions.ts";
import { between, chance } from "./visit.ts";

const decideClicks = new URL("../../apps/api/src/ads/clicks/decide-clicks.work.ts", import.meta.url);
const countImpressions = new URL("../../apps/api/src/ads/clicks/count-impressions.work.ts", import.meta.url);

/** What an attacker clicks a day, on average, at times as people would. The share of shown ads that are clicked is its rate. */
export type ClickHabit = { clicks: number; rate: number; networks: number; placement?: Placement };

const priceMicroUsd = 8_000_000;
export const perClickMicroUsd = 5_600_000;
const openFromMs = 8 * msPerHour;
const openMs = 14 * msPerHour;
const readMs = 20_000;
const itemsAtOnce = 200;

export async function openForgedClicks(store: Store, clock: { nowMs: number }) {
  const campaign = await makeCampaign(store, { budget_micro: Number.MAX_SAFE_INTEGER, bid_micro: priceMicroUsd, starts_at: 0 });
  const origins = recordClickOrigins(store, {
    tagger: { tagsOf: (address) => ({ today: address, yesterday: undefined }) },
    sharedOf: undefined,
    nowMs: () => clock.nowMs,
    onError: (error) => {
      throw error;
    },
  });

  /** Returns how many were paid. */
  async function clickOn(dayMs: number, { accountId, habit, draws }: { accountId: string; habit: ClickHabit; draws: Draws }): Promise<number> {
    const shown = Math.round(habit.clicks / habit.rate);
    const times = Array.from({ length: shown }, () => dayMs + openFromMs + Math.floor(between(draws, 0, openMs))).toSorted((left, right) => left - right);
    const offers = [];
    for (const atMs of times) offers.push(...(await makeOffers(store, { accountId, campaign, atMs, price_micro: priceMicroUsd, developer_micro: perClickMicroUsd, impressed_at: null, placement: habit.placement ?? "feed" })));
    let paid = 0;
    for (let from = 0; from < offers.length; from += itemsAtOnce) {
      const part = offers.slice(from, from + itemsAtOnce);
      const impressions = part.map(({ id, at }): Impression => ({ offerId: id, atMs: at + 1_000 }));
      await store.transact<{ impressions: Impression[] }, ImpressionOutcome[]>(countImpressions, { impressions });
      const clicked = part.filter(() => chance(draws, habit.rate));
      if (clicked.length === 0) continue;
      const clicks = clicked.map(({ id, at }): Click => ({ offerId: id, atMs: at + readMs, agent: "person" }));
      const outcomes = await store.transact<{ clicks: Click[] }, ClickOutcome[]>(decideClicks, { clicks });
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome?.verdict !== "paid") continue;
        origins.note({ ...clicks[index]!, accountId, address: `${(paid += 1) % habit.networks}`, isDescribed: false });
      }
    }
    return paid;
  }

  return {
    clickOn,
    /** After the clock has moved on to the end of the day. */
    async endDay() {
      clock.nowMs += msPerDay;
      await origins.flush();
      clock.nowMs -= msPerDay;
    },
    stop: () => origins.stop(),
  };
}
