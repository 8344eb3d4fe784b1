import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { makeCampaign, makeRequest, makeSnapshot, noonMs, usd } from "../../../test/ads/auction/make-campaign.ts";
import { simulateTraffic } from "../../../test/ads/auction/simulate-traffic.ts";
import { createSeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { msPerHour } from "../../formats/time.ts";
import { decide } from "./decide.ts";
import { createLiveOffers, offerLifeMs, poissonQuantile999 } from "./live-offers.ts";
import { evenCurve } from "./traffic-curve.ts";

/** Exact: sums in logarithms, so that no mean is too large. */
function exactQuantile(mean: number): number {
  let cumulated = 0;
  let logFactorial = 0;
  for (let count = 0; ; count += 1) {
    if (count > 0) logFactorial += Math.log(count);
    cumulated += Math.exp(count * Math.log(mean) - mean - logFactorial);
    if (cumulated >= 0.999) return count;
  }
}

describe("the clicks to reserve budget for", () => {
  it("are the 99.9% Poisson quantile: exact for small means, at most one above for large ones", () => {
    assert.equal(poissonQuantile999(0), 0);
    for (const mean of [0.000_5, 0.001, 0.002, 0.01, 0.0454, 0.05, 0.5, 1, 3, 10, 33.3, 59.9]) assert.equal(poissonQuantile999(mean), exactQuantile(mean), `mean ${mean}`);
    for (let mean = 60.1; mean < 5_000; mean *= 1.07) {
      const over = poissonQuantile999(mean) - exactQuantile(mean);
      assert.ok(over >= 0 && over <= 1, `mean ${mean}: ${over} over`);
    }
  });
});

const offerOf = (given: Partial<{ campaignId: string; priceMicroUsd: number; expectedClickRate: number; offeredMs: number }> = {}) => ({
  campaignId: "it",
  priceMicroUsd: 200_000,
  expectedClickRate: 0.01,
  offeredMs: noonMs,
  ...given,
});

describe("live offers", () => {
  it("reserve the price of every click that may come, and nothing once they are clicked or expire", () => {
    const live = createLiveOffers();
    const { expectedAt } = live.of("it");
    assert.deepEqual(expectedAt(noonMs), { clicks: 0, microUsd: 0, reservedMicroUsd: 0 });
    live.add(offerOf());
    assert.deepEqual(expectedAt(noonMs), { clicks: 0.01, microUsd: 2_000, reservedMicroUsd: 200_000 });
    live.clicked(offerOf(), noonMs + 30_000);
    assert.equal(expectedAt(noonMs + 30_000).reservedMicroUsd, 0);
    for (let count = 0; count < 300; count += 1) live.add(offerOf());
    assert.equal(expectedAt(noonMs).reservedMicroUsd, 10 * 200_000, "three are expected, ten may come");
    assert.ok(expectedAt(noonMs + msPerHour).clicks > 0);
    assert.equal(expectedAt(noonMs + offerLifeMs + 4 * 60_000).reservedMicroUsd, 0);
  });

  it("reserve enough for clicks at many prices, by simulation", () => {
    const random = createSeededRandom(21);
    const live = createLiveOffers();
    const offers = Array.from({ length: 2_000 }, () => offerOf({ priceMicroUsd: random.isTrue(0.2) ? 900_000 : 50_000, expectedClickRate: 0.005 }));
    for (const offer of offers) live.add(offer);
    const { reservedMicroUsd } = live.of("it").expectedAt(noonMs);
    const costs = Array.from({ length: 1_000 }, () => offers.reduce((sum, offer) => sum + (random.isTrue(offer.expectedClickRate) ? offer.priceMicroUsd : 0), 0));
    const short = costs.filter((cost) => cost > reservedMicroUsd).length;
    // Two moments are matched, not the whole distribution: 0.1% is meant, 0.5% would be too much.
    assert.ok(short <= 5, `${short} of 1,000 would have needed more than ${reservedMicroUsd}`);
    const needed = costs.toSorted((left, right) => left - right)[998]!;
    assert.ok(reservedMicroUsd < 1.3 * needed, `${reservedMicroUsd} held where ${needed} would do`);
  });

  it("expect fewer clicks on older offers, and learn the delay of clicks", () => {
    const expectedAfter = (delayMs: number) => {
      const live = createLiveOffers();
      for (let count = 0; count < 1_000; count += 1) {
        const early = offerOf({ offeredMs: noonMs - 6 * msPerHour });
        live.add(early);
        live.clicked(early, early.offeredMs + delayMs);
      }
      live.add(offerOf({ expectedClickRate: 1 }));
      live.clicked(offerOf({ campaignId: "another", offeredMs: noonMs - delayMs }), noonMs);
      return live.of("it").expectedAt(noonMs + 20 * 60_000).clicks;
    };
    const fresh = createLiveOffers();
    fresh.add(offerOf({ expectedClickRate: 1 }));
    assert.equal(fresh.of("it").expectedAt(noonMs).clicks, 1);
    const unlearnt = fresh.of("it").expectedAt(noonMs + 20 * 60_000).clicks;
    assert.ok(unlearnt > 0.05 && unlearnt < 0.2, `${unlearnt}`);
    assert.ok(expectedAfter(10_000) < unlearnt / 5, "people who click at once");
    assert.ok(expectedAfter(msPerHour) > 0.9, "people who take an hour");
  });

  it("leave nothing behind, in whatever order they are added and removed", () => {
    const anOffer = fc.record({ price: fc.integer({ min: 1, max: usd }), rate: fc.double({ min: 1e-4, max: 0.5, noNaN: true }), ageMs: fc.nat(offerLifeMs + msPerHour) });
    fc.assert(
      fc.property(fc.array(anOffer, { maxLength: 100 }), (offers) => {
        const live = createLiveOffers();
        const made = offers.map(({ price, rate, ageMs }) => offerOf({ priceMicroUsd: price, expectedClickRate: rate, offeredMs: noonMs - ageMs }));
        for (const offer of made) live.add(offer);
        live.of("it").expectedAt(noonMs);
        for (const offer of made.toReversed()) live.remove(offer);
        assert.deepEqual(live.of("it").expectedAt(noonMs), { clicks: 0, microUsd: 0, reservedMicroUsd: 0 });
      }),
      { seed: 9 },
    );
  });

  it("of other nodes count too, and newer sums replace older ones", () => {
    const live = createLiveOffers();
    live.setExpectedElsewhere("it", { clicks: 3, microUsd: 600_000 });
    live.setExpectedElsewhere("it", { clicks: 0.01, microUsd: 2_000 });
    assert.equal(live.of("it").expectedAt(noonMs).reservedMicroUsd, 200_000);
  });

  it("of removed campaigns do not stay in memory", () => {
    const live = createLiveOffers();
    live.add(offerOf());
    const before = live.of("it");
    live.evictIdle(noonMs, new Set());
    assert.equal(live.of("it"), before, "it still has live offers");
    live.evictIdle(noonMs + 2 * offerLifeMs, new Set(["it"]));
    assert.equal(live.of("it"), before, "it is to be kept");
    live.evictIdle(noonMs + 2 * offerLifeMs, new Set());
    assert.notEqual(live.of("it"), before);
  });
});

describe("a budget", () => {
  it("that covers one click is offered once at a time, and again when that offer is gone", () => {
    const liveOffers = createLiveOffers();
    const snapshot = makeSnapshot([makeCampaign("it", { budgetMicroUsd: 10_000 })], { liveOffers });
    const ask = (nowMs: number) => decide(snapshot, makeRequest(createSeededRandom(1).next, { nowMs }));
    const first = ask(noonMs);
    assert.ok(first.kind === "offer");
    const offer = { campaignId: "it", priceMicroUsd: first.priceMicroUsd, expectedClickRate: first.expectedClickRate, offeredMs: noonMs };
    liveOffers.add(offer);
    assert.deepEqual(ask(noonMs + 1), { kind: "no_fill", reason: "budget_used_up" });
    liveOffers.remove(offer);
    assert.equal(ask(noonMs + 2).kind, "offer");
    liveOffers.add(offer);
    assert.equal(ask(noonMs + offerLifeMs + 5 * 60_000).kind, "offer", "the offer has run out");
  });

  it("is tied up to a tenth by one account's unclicked offers: then that account gets none, and the others do [threat: starved-campaign]", () => {
    const liveOffers = createLiveOffers();
    const budgetMicroUsd = 10 * usd;
    const snapshot = makeSnapshot([makeCampaign("it", { budgetMicroUsd, bidMicroUsd: 250_000 })], { liveOffers });
    const random = createSeededRandom(1);
    const ask = (accountId: string, nowMs = noonMs) => {
      const decision = decide(snapshot, makeRequest(random.next, { nowMs, accountId }));
      if (decision.kind === "no_fill") return { reason: decision.reason };
      const offer = { campaignId: "it", accountId, priceMicroUsd: decision.priceMicroUsd, expectedClickRate: decision.expectedClickRate, offeredMs: nowMs };
      liveOffers.add(offer);
      return { offer };
    };
    const tiedUp = (accountId: string) => liveOffers.of("it").expectedOfAccount(accountId, noonMs);
    const taken = [];
    for (let asked = ask("greedy"); asked.offer; asked = ask("greedy")) taken.push(asked.offer);
    assert.deepEqual(ask("greedy"), { reason: "offers_unclicked" });
    const { priceMicroUsd, expectedClickRate } = taken[0]!;
    assert.ok(tiedUp("greedy") > budgetMicroUsd / 10 && tiedUp("greedy") <= budgetMicroUsd / 10 + priceMicroUsd * expectedClickRate);
    for (let round = 0; round < 100; round += 1) assert.ok(ask("honest").offer, `round ${round}`);
    liveOffers.clicked(taken.pop()!, noonMs);
    assert.ok(ask("greedy").offer, "a clicked offer counts no more");
    assert.ok(ask("greedy", noonMs + offerLifeMs + 5 * 60_000).offer, "nor do expired ones");
  });

  it("is divided among the nodes that make offers", () => {
    const live = createLiveOffers();
    live.add({ ...offerOf(), accountId: "one" });
    const tiedUp = () => live.of("it").expectedOfAccount("one", noonMs);
    assert.equal(tiedUp(), 2_000);
    live.setNodes(3);
    assert.equal(tiedUp(), 6_000);
    assert.equal(live.of("it").expectedOfAccount("other", noonMs), 0);
  });

  it("is exhausted for fewer than one valid click in a thousand, whatever the click rates and delays", () => {
    let [paid, exhausted, left, budget] = [0, 0, 0, 0];
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = createSeededRandom(seed);
      // Budgets of 4 to 20 clicks, all of which run out, and click rates up to twelve times what is believed at first.
      const campaigns = Array.from({ length: 4 }, (_, index) =>
        makeCampaign(`campaign ${index}`, { budgetMicroUsd: random.between(8, 40) * 50_000, bidMicroUsd: 100_000 + 10_000 * index }),
      );
      const clickRates = new Map(campaigns.map(({ creatives }) => [creatives[0]!.id, 0.01 * 6 ** random.next()]));
      const requestsMs = Array.from({ length: 8_000 }, (_, index) => noonMs + index * 3_000);
      const clickDelayMs = seed % 2 === 0 ? 20_000 : 120_000;
      const accounts = simulateTraffic({ campaigns, clickRates, requestsMs, random, curve: evenCurve, clickDelayMs, learnEveryMs: 60_000 });
      for (const campaign of campaigns) {
        const account = accounts.get(campaign.id)!;
        paid += account.paid;
        exhausted += account.exhausted;
        left += campaign.budgetMicroUsd - account.spentMicroUsd;
        budget += campaign.budgetMicroUsd;
      }
    }
    assert.ok(paid > 3_000, `${paid} clicks are too few to tell`);
    assert.ok(left < 0.1 * budget, `${((100 * left) / budget).toFixed(1)}% of the budgets were not spent`);
    assert.ok(exhausted < paid / 1_000, `${exhausted} of ${paid} clicks met an empty budget`);
  });

  it("that is small is not starved: nine tenths are spent in a day of traffic", () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const random = createSeededRandom(seed);
      const campaigns = [makeCampaign("small", { budgetMicroUsd: usd, bidMicroUsd: 100_000 }), makeCampaign("rival", { bidMicroUsd: 90_000 })];
      const requestsMs = Array.from({ length: 24_000 }, (_, index) => noonMs + index * 3_600);
      const clickRates = new Map([["creative of small", 0.01], ["creative of rival", 0.01]]);
      const accounts = simulateTraffic({ campaigns, clickRates, requestsMs, random, curve: evenCurve, clickDelayMs: 30_000, learnEveryMs: 60_000 });
      const { spentMicroUsd } = accounts.get("small")!;
      assert.ok(spentMicroUsd >= 0.9 * usd, `seed ${seed}: ${spentMicroUsd / usd} of 1 USD spent`);
    }
  });
});
