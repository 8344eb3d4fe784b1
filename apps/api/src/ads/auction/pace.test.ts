import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { makeCampaign, noonMs, usd } from "../../../test/ads/auction/make-campaign.ts";
import { type Account, simulateTraffic } from "../../../test/ads/auction/simulate-traffic.ts";
import { createSeededRandom, type SeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import { participation, targetAt } from "./pace.ts";
import type { AuctionCampaign } from "./snapshot.ts";
import { dayOf, evenCurve, learnTrafficCurve, type TrafficCurve, trafficDaysAt } from "./traffic-curve.ts";

/** A day of a consumer app in one time zone: a dead night, a lunch peak, and a high evening. */
const requestsByHour = [40, 20, 10, 6, 5, 8, 30, 90, 140, 150, 150, 170, 300, 260, 170, 160, 170, 210, 300, 420, 480, 430, 260, 110];
const midnightMs = dayOf(noonMs) * msPerDay;

/** Times of a day's requests: Poisson arrivals along the hours, and hours that come out up to a third higher or lower than usual. */
function requestsOf(random: SeededRandom, scale: number, startMs = midnightMs): number[] {
  const times: number[] = [];
  for (const [hour, usual] of requestsByHour.entries()) {
    const rate = (usual * scale * (1 + (2 * random.next() - 1) / 3)) / msPerHour;
    for (let at = 0; ; ) {
      at -= Math.log(1 - random.next()) / rate;
      if (at >= msPerHour) break;
      times.push(startMs + hour * msPerHour + at);
    }
  }
  return times;
}

type Day = { account: Account; aheadMicroUsd: number };

/** One day of an evenly paced campaign among others that always serve. `ahead`: the furthest that spend ran ahead of the curve. */
function simulateDay(seed: number, given: Partial<AuctionCampaign>, curve: TrafficCurve): Day {
  const random = createSeededRandom(seed);
  const campaign = makeCampaign("paced", { pacing: "even", bidMicroUsd: 250_000, ...given });
  const rival = makeCampaign("rival", { bidMicroUsd: 60_000 });
  const target = campaign.dailyBudgetMicroUsd!;
  let aheadMicroUsd = 0;
  const accounts = simulateTraffic({
    campaigns: [campaign, rival],
    clickRates: new Map([["creative of paced", 0.02], ["creative of rival", 0.02]]),
    requestsMs: requestsOf(random, 20),
    random,
    curve,
    clickDelayMs: 20_000,
    learnEveryMs: 10 * 60_000,
    watch(nowMs, current) {
      const gone = trafficDaysAt(learnt, nowMs) - dayOf(nowMs);
      aheadMicroUsd = Math.max(aheadMicroUsd, current.get("paced")!.spentTodayMicroUsd - target * gone);
    },
  });
  return { account: accounts.get("paced")!, aheadMicroUsd };
}

const learnt = learnTrafficCurve(requestsByHour.map((count) => 7 * 20 * count));

describe("even pacing", () => {
  it("ends a day of peaks and noise within 5% of the target, and never runs ahead of the curve by 10% of the budget", () => {
    const budget = 30 * usd;
    for (let seed = 1; seed <= 8; seed += 1) {
      const { account, aheadMicroUsd } = simulateDay(seed, { dailyBudgetMicroUsd: budget }, learnt);
      assert.ok(Math.abs(account.spentMicroUsd - budget) <= 0.05 * budget, `seed ${seed}: spent ${account.spentMicroUsd / usd} of ${budget / usd}`);
      assert.ok(aheadMicroUsd <= 0.1 * budget, `seed ${seed}: ${aheadMicroUsd / usd} ahead`);
      assert.equal(account.exhausted, 0);
    }
  });

  it("keeps the spend on the curve: unpaced, the same campaign is spent by the afternoon", () => {
    const budget = 30 * usd;
    const { aheadMicroUsd } = simulateDay(1, { dailyBudgetMicroUsd: budget, pacing: "asap" }, learnt);
    assert.ok(aheadMicroUsd > 0.3 * budget, `${aheadMicroUsd / usd} ahead`);
  });

  it("spends the daily budget even while the curve is unknown", () => {
    const budget = 30 * usd;
    const { account } = simulateDay(3, { dailyBudgetMicroUsd: budget }, evenCurve);
    assert.ok(Math.abs(account.spentMicroUsd - budget) <= 0.05 * budget, `spent ${account.spentMicroUsd / usd}`);
  });

  it("follows the curve from midnight to midnight for a daily budget", () => {
    const campaign = makeCampaign("it", { dailyBudgetMicroUsd: 24 * usd });
    const spend = { spentMicroUsd: 0, spentTodayMicroUsd: 0 };
    const byNow = (nowMs: number) => targetAt(campaign, spend, { nowMs, curve: evenCurve })!.byNowMicroUsd;
    assert.deepEqual([midnightMs, midnightMs + msPerHour / 2, noonMs].map(byNow).map(Math.round), [0, usd / 2, 12 * usd]);
  });

  it("expects no spend before the campaign was active, and the whole daily budget after", () => {
    const campaign = makeCampaign("it", { dailyBudgetMicroUsd: 12 * usd, startsMs: midnightMs + 6 * msPerHour, activeSinceMs: noonMs });
    const spend = { spentMicroUsd: 0, spentTodayMicroUsd: 0 };
    const byNow = (nowMs: number) => Math.round(targetAt(campaign, spend, { nowMs, curve: evenCurve })!.byNowMicroUsd);
    assert.deepEqual([byNow(noonMs), byNow(noonMs + 6 * msPerHour), byNow(midnightMs + msPerDay - 1)], [0, 6 * usd, 12 * usd]);
  });

  it("spreads the remaining budget over the remaining days where there is an end and no daily budget", () => {
    const campaign = makeCampaign("it", { budgetMicroUsd: 100 * usd, endsMs: midnightMs + 4 * msPerDay });
    const dayOfSpend = (spentMicroUsd: number, spentTodayMicroUsd: number, nowMs: number) =>
      Math.round(targetAt(campaign, { spentMicroUsd, spentTodayMicroUsd }, { nowMs, curve: evenCurve })!.dayMicroUsd);
    assert.equal(dayOfSpend(0, 0, noonMs), 25 * usd);
    assert.equal(dayOfSpend(20 * usd, 20 * usd, noonMs), 25 * usd, "what was spent today is part of today's");
    assert.equal(dayOfSpend(40 * usd, 0, noonMs + msPerDay), 20 * usd, "a day that spent too much leaves less to each of the others");
    assert.equal(dayOfSpend(90 * usd, 0, noonMs + 3 * msPerDay), 10 * usd, "the last day gets the rest");
  });

  it("does not pace where there is nothing to spread the budget over", () => {
    const nothing = { spentMicroUsd: 0, spentTodayMicroUsd: 0 };
    assert.equal(targetAt(makeCampaign("it"), nothing, { nowMs: noonMs, curve: evenCurve }), undefined);
  });

  it("always takes part when behind, never when ahead, and linearly around the curve", () => {
    const target = { byNowMicroUsd: 50 * usd, dayMicroUsd: 100 * usd };
    assert.deepEqual([40, 49, 49.5, 50, 50.5, 51, 60].map((spent) => participation(target, spent * usd)), [1, 1, 0.75, 0.5, 0.25, 0, 0]);
  });
});

describe("the traffic curve", () => {
  it("is even until there is traffic, and then follows it", () => {
    assert.equal(trafficDaysAt(evenCurve, noonMs) - dayOf(noonMs), 0.5);
    const evenings = learnTrafficCurve(Array.from({ length: 24 }, (_, hour) => (hour >= 18 ? 1_000_000 : 0)));
    assert.ok(trafficDaysAt(evenings, midnightMs + 18 * msPerHour) - dayOf(noonMs) < 0.001);
    assert.ok(Math.abs(trafficDaysAt(evenings, midnightMs + 21 * msPerHour) - dayOf(noonMs) - 0.5) < 0.001);
  });

  it("is monotonic and continuous from one day to the next", () => {
    let before = trafficDaysAt(learnt, midnightMs);
    assert.equal(before, dayOf(midnightMs));
    for (let at = midnightMs; at <= midnightMs + msPerDay; at += 7 * 60_000) {
      const now = trafficDaysAt(learnt, at);
      assert.ok(now >= before);
      before = now;
    }
    assert.equal(trafficDaysAt(learnt, midnightMs + msPerDay), dayOf(midnightMs) + 1);
  });
});
