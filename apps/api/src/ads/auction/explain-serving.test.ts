import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { makeCampaign, makeRequest, makeSnapshot, noonMs, usd } from "../../../test/ads/auction/make-campaign.ts";
import { createSeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import { createAuctionStatistics } from "./auction-statistics.ts";
import { type AuctionRequest, decide } from "./decide.ts";
import { type ExplainContext, type ExplainedCampaign, explainServing } from "./explain-serving.ts";
import { createLiveOffers } from "./live-offers.ts";
import type { AuctionCampaign, Snapshot } from "./snapshot.ts";
import { evenCurve } from "./traffic-curve.ts";

const contextOf = (given: Partial<ExplainContext> = {}): ExplainContext => ({
  nowMs: noonMs,
  floorMicroUsd: 10_000,
  curve: evenCurve,
  liveOffers: createLiveOffers(),
  recent: { matched: 10, trusted: 10, won: 1 },
  ...given,
});
const codesOf = (given: Partial<ExplainedCampaign>, context: Partial<ExplainContext> = {}) =>
  explainServing({ ...makeCampaign("it"), status: "active", ...given }, contextOf(context)).map(({ code }) => code);

describe("explaining why a campaign is not serving", () => {
  it("gives no reason while the campaign serves", () => {
    assert.deepEqual(codesOf({}), []);
    assert.deepEqual(codesOf({ house: true, bidMicroUsd: 0, budgetMicroUsd: 0 }), [], "house campaigns need no money");
  });

  it("reports what in the campaign's settings prevents serving", () => {
    assert.deepEqual(codesOf({ status: "draft" }), ["draft"]);
    assert.deepEqual(codesOf({ status: "paused" }), ["paused"]);
    assert.deepEqual(codesOf({ status: "ended" }), ["ended"]);
    assert.deepEqual(codesOf({ startsMs: noonMs + 1 }), ["not_started"]);
    assert.deepEqual(codesOf({ endsMs: noonMs }), ["ended_by_date"]);
    assert.deepEqual(codesOf({ creatives: [] }), ["no_approved_creative"]);
    assert.deepEqual(codesOf({ bidMicroUsd: 9_999 }), ["bid_under_floor"]);
    assert.deepEqual(codesOf({ status: "paused", creatives: [], spentMicroUsd: 1_000_000 * usd }), ["paused", "no_approved_creative", "budget_used_up"]);
  });

  it("reports an exhausted budget or daily budget, and budget reserved for outstanding offers", () => {
    assert.deepEqual(codesOf({ budgetMicroUsd: usd, spentMicroUsd: usd - 9_999 }), ["budget_used_up"]);
    assert.deepEqual(codesOf({ dailyBudgetMicroUsd: usd, spentTodayMicroUsd: usd, spentMicroUsd: usd }), ["daily_budget_used_up"]);
    const liveOffers = createLiveOffers();
    liveOffers.add({ campaignId: "it", priceMicroUsd: 250_000, expectedClickRate: 0.02, offeredMs: noonMs });
    assert.deepEqual(codesOf({ budgetMicroUsd: 250_000 }, { liveOffers }), ["reserved_for_clicks"]);
    assert.deepEqual(codesOf({ budgetMicroUsd: 600_000 }, { liveOffers }), []);
  });

  it("reports pacing", () => {
    const ahead = { pacing: "even", dailyBudgetMicroUsd: 10 * usd, spentTodayMicroUsd: 6 * usd, spentMicroUsd: 6 * usd } as const;
    assert.deepEqual(codesOf(ahead), ["paced"]);
    assert.deepEqual(codesOf(ahead, { nowMs: noonMs + 6 * msPerHour }), []);
    assert.deepEqual(codesOf({ ...ahead, pacing: "asap" }), []);
  });

  it("agrees with the auction: a campaign with a reason of its own gets no offer", () => {
    const cases: Partial<AuctionCampaign>[] = [
      {},
      { startsMs: noonMs + 1 },
      { endsMs: noonMs },
      { endsMs: noonMs + msPerDay },
      { bidMicroUsd: 9_999 },
      { budgetMicroUsd: 10_000 },
      { budgetMicroUsd: 9_999 },
      { dailyBudgetMicroUsd: 9_999 },
      { creatives: [] },
      { pacing: "even", dailyBudgetMicroUsd: 10 * usd, spentTodayMicroUsd: 6 * usd, spentMicroUsd: 6 * usd },
      { pacing: "even", dailyBudgetMicroUsd: 10 * usd, spentTodayMicroUsd: 4 * usd, spentMicroUsd: 4 * usd },
    ];
    for (const given of cases) {
      const decision = decide(makeSnapshot([makeCampaign("it", given)]), makeRequest(createSeededRandom(1).next));
      assert.equal(codesOf(given).length === 0, decision.kind === "offer", JSON.stringify(given));
    }
  });

  it("reports the last hour's auctions when nothing in the settings prevents serving", () => {
    assert.deepEqual(codesOf({}, { recent: { matched: 0, trusted: 0, won: 0 } }), ["no_matching_request"]);
    assert.deepEqual(codesOf({ minTrust: 70 }, { recent: { matched: 9, trusted: 0, won: 0 } }), ["trust_required"]);
    assert.deepEqual(codesOf({}, { recent: { matched: 9, trusted: 9, won: 0 } }), ["outbid"]);
    assert.deepEqual(codesOf({ house: true }, { recent: { matched: 9, trusted: 9, won: 0 } }), ["paying_campaigns_first"]);
  });

  it("names amounts and times", () => {
    const [first] = explainServing({ ...makeCampaign("it", { dailyBudgetMicroUsd: 5 * usd, spentTodayMicroUsd: 5 * usd, spentMicroUsd: 5 * usd }), status: "active" }, contextOf());
    assert.equal(first?.message, "5.00 USD of the daily budget of 5.00 USD is spent; serving resumes at midnight UTC.");
  });
});

describe("auction statistics", () => {
  const random = createSeededRandom(1).next;
  function hold(snapshot: Snapshot, requests: Partial<AuctionRequest>[]) {
    const statistics = createAuctionStatistics();
    for (const given of requests) {
      const request = makeRequest(random, given);
      statistics.note(snapshot, request, decide(snapshot, request));
    }
    return statistics;
  }

  it("count the requests that a campaign was eligible for and those it won", () => {
    const rich = makeCampaign("rich", { bidMicroUsd: 900_000_000 });
    const picky = makeCampaign("picky", { bidMicroUsd: 10_000, minTrust: 70, placements: ["feed"], categories: ["gaming"] });
    const snapshot = makeSnapshot([rich, picky]);
    const statistics = hold(snapshot, [
      { category: "gaming", verifiedTrust: 69.9 },
      { category: "gaming", verifiedTrust: 70 },
      { category: "gaming", verifiedTrust: 100 },
      { category: "gaming" },
      { category: "news", verifiedTrust: 90 },
      { category: "gaming", placement: "sidebar", verifiedTrust: 90 },
      { category: "gaming", format: "native", verifiedTrust: 90 },
    ]);
    assert.deepEqual(statistics.of(picky, noonMs), { matched: 4, trusted: 2, won: 0 });
    assert.deepEqual(statistics.of(rich, noonMs), { matched: 6, trusted: 6, won: 6 });
    const reasons = explainServing({ ...picky, status: "active" }, contextOf({ recent: statistics.of(picky, noonMs) }));
    assert.deepEqual(reasons.map(({ code }) => code), ["outbid"]);
  });

  it("count only attested sessions for a campaign that asks for them, and say so", () => {
    const strict = makeCampaign("strict", { bidMicroUsd: 10_000, attestedOnly: true });
    const both = makeCampaign("both", { ...strict, id: "both", minTrust: 70 });
    const snapshot = makeSnapshot([makeCampaign("rich", { bidMicroUsd: 900_000_000 }), strict, both]);
    const explain = (campaign: AuctionCampaign, requests: Partial<AuctionRequest>[]) => {
      const recent = hold(snapshot, requests).of(campaign, noonMs);
      const reasons = explainServing({ ...campaign, status: "active" }, contextOf({ recent }));
      return [recent.matched, recent.trusted, ...reasons.map(({ message }) => message)];
    };
    const asserted = [{ verifiedTrust: 90 }, { verifiedTrust: 100, isAttested: false }, {}];
    assert.deepEqual(explain(strict, asserted), [
      3,
      0,
      "3 requests matched within the last hour, none from an attested session. The campaign asks for attested sessions.",
    ]);
    const attested = { isAttested: true };
    assert.deepEqual(explain(both, [...asserted, { ...attested, verifiedTrust: 69 }]), [
      4,
      0,
      "4 requests matched within the last hour, none from an attested session with a trust score of 70 or more. The campaign asks for attested sessions.",
    ]);
    assert.deepEqual(explain(strict, [...asserted, { ...attested, verifiedTrust: 1 }]).slice(0, 2), [4, 1]);
    assert.deepEqual(explain(both, [...asserted, { ...attested, verifiedTrust: 70 }]).slice(0, 2), [4, 1]);
    assert.deepEqual(explain(makeCampaign("any", { minTrust: 70 }), [...asserted, { ...attested, verifiedTrust: 70 }]).slice(0, 2), [4, 3]);
  });

  it("drop everything older than the previous hour", () => {
    const campaign = makeCampaign("it");
    const statistics = hold(makeSnapshot([campaign]), [{}, {}]);
    assert.equal(statistics.of(campaign, noonMs + msPerHour).won, 2);
    assert.deepEqual(statistics.of(campaign, noonMs + 2 * msPerHour), { matched: 0, trusted: 0, won: 0 });
  });
});
