import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { faultLine, validateImport } from "./validate-campaign.ts";

const nowMs = Date.UTC(2026, 5, 1);
const creative = { format: "banner", headline: "Hello", description: "World", cta_text: "Go", landing_url: "https://example.com/x" };
const campaign = { name: "Spring", budget_usd: 10, bid_usd: 0.25, creatives: [creative] };
const file = (change: Record<string, unknown> = {}) => ({ advertiser: "Acme", campaigns: [{ ...campaign, ...change }] });
const withCreative = (change: Record<string, unknown>) => file({ creatives: [{ ...creative, ...change }] });

function faultsOf(document: unknown): string[] {
  const validated = validateImport(document, nowMs);
  return validated.kind === "invalid" ? validated.faults.map(faultLine) : [];
}

function wishOf(document: unknown) {
  const validated = validateImport(document, nowMs);
  assert.equal(validated.kind, "valid", JSON.stringify(validated));
  return validated.kind === "valid" ? validated.wish : assert.fail();
}

describe("a file of campaigns", () => {
  it("may leave out all that has a default", () => {
    const [wish] = wishOf(file()).campaigns;
    assert.deepEqual(
      { ...wish, creatives: [] },
      {
        name: "Spring",
        budgetMicroUsd: 10_000_000,
        dailyBudgetMicroUsd: undefined,
        bidMicroUsd: 250_000,
        startsMs: nowMs,
        endsMs: undefined,
        categories: [],
        placements: [],
        minTrust: 0,
        pacing: "asap",
        creatives: [],
      },
    );
  });

  it("takes dates as the first moment of a UTC day, and times as they are", () => {
    const [wish] = wishOf(file({ starts: "2026-01-01", ends: "2026-07-01T12:30:00+02:00" })).campaigns;
    assert.equal(wish?.startsMs, Date.UTC(2026, 0, 1));
    assert.equal(wish?.endsMs, Date.UTC(2026, 6, 1, 10, 30));
  });

  it("names every fault with its path, in one go", () => {
    const document = {
      advertiser: " ",
      extra: 1,
      campaigns: [
        { name: "A", budget_usd: "10", bid_usd: 0.0000001, creatives: [{ ...creative, format: "popup", landing_url: "javascript:alert(1)" }] },
        { name: "a", budget_usd: 1, bid_usd: 2, creatives: [] },
      ],
    };
    assert.deepEqual(faultsOf(document), [
      "extra: is not known here; known are advertiser, campaigns",
      "advertiser: must not be empty",
      "campaigns[0].budget_usd: must be a number, in USD",
      "campaigns[0].bid_usd: must have at most 6 decimals",
      "campaigns[0].creatives[0].format: must be banner or native or interstitial",
      "campaigns[0].creatives[0].landing_url: must be an http or https address",
      "campaigns[1].bid_usd: must not be above budget_usd",
      "campaigns[1].creatives: must have 1 to 50 items, and has 0",
      "campaigns[1].name: is in this file twice",
    ]);
  });

  it("refuses amounts, dates and targets that cannot be meant", () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ budget_usd: 0 }, "budget_usd: must be more than 0"],
      [{ budget_usd: -1 }, "budget_usd: must be more than 0"],
      [{ budget_usd: 1e10 }, "budget_usd: must be more than 0 and at most 1000000000"],
      [{ budget_usd: null }, "budget_usd: must be a number"],
      [{ bid_usd: 0.1234567 }, "bid_usd: must have at most 6 decimals"],
      [{ daily_budget_usd: 11 }, "daily_budget_usd: must not be above budget_usd"],
      [{ daily_budget_usd: 0.2 }, "bid_usd: must not be above daily_budget_usd"],
      [{ starts: "2026-02-30" }, "starts: must be a date"],
      [{ starts: 5 }, "starts: must be a date"],
      [{ starts: "2026-07-02", ends: "2026-07-01" }, "ends: must be after starts"],
      [{ ends: "2026-05-31" }, "ends: must be in the future"],
      [{ categories: ["a b"] }, "categories[0]: must be 1 to 40"],
      [{ placements: ["feed", "top"] }, "placements[1]: must be feed or sidebar or fullscreen"],
      [{ min_trust: 101 }, "min_trust: must be a number from 0 to 100"],
      [{ pacing: "fast" }, "pacing: must be even or asap"],
      [{ budget: 3 }, "budget: is not known here"],
      [{ creatives: Array.from({ length: 51 }, () => creative) }, "creatives: must have 1 to 50 items, and has 51"],
    ];
    for (const [change, expected] of cases) {
      const faults = faultsOf(file(change));
      assert.equal(faults.length, 1, JSON.stringify([change, faults]));
      assert(faults[0]?.startsWith(`campaigns[0].${expected}`), `${faults[0]} is not ${expected}`);
    }
  });

  it("refuses landing addresses that are not plain web addresses", () => {
    const bad = ["ftp://example.com", "//example.com", "https://", "https:example.com", "data:text/html,x", "https://me:pw@example.com/", "https://me@example.com/", "", "x".repeat(3_000), "java\nscript:alert(1)"];
    for (const landing_url of bad) assert.equal(faultsOf(withCreative({ landing_url })).length, 1, landing_url);
    const [good] = wishOf(withCreative({ landing_url: "https://exämple.com/ü?q=\u00e9" })).campaigns[0]!.creatives;
    assert.match(good!.landingUrl, /^[\x21-\x7e]+$/, "fit for a Location header");
  });

  it("refuses texts that are too long, empty, or not what they look like", () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ headline: "x".repeat(91) }, "headline: must have at most 90 characters, and has 91"],
      [{ headline: "  " }, "headline: must not be empty"],
      [{ headline: "a\u0000b" }, "headline: must not hold control characters"],
      [{ headline: "a\u202eb" }, "headline: must not hold control characters"],
      [{ cta_text: 5 }, "cta_text: must be a text"],
      [{ description: "x".repeat(201) }, "description: must have at most 200"],
    ];
    for (const [change, expected] of cases) {
      const [fault = ""] = faultsOf(withCreative(change));
      assert(fault.startsWith(`campaigns[0].creatives[0].${expected}`), fault);
    }
    assert.deepEqual(faultsOf(withCreative({ description: "" })), []);
  });

  it("takes whole micro-dollars to the micro-dollar, and never throws", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000_000 }), (micro) => {
        const [wish] = wishOf(file({ budget_usd: micro / 1_000_000, bid_usd: 0.000001 })).campaigns;
        assert.equal(wish?.budgetMicroUsd, micro);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        validateImport(one, nowMs);
        validateImport({ advertiser: other, campaigns: [one, { ...campaign, creatives: [one, other] }] }, nowMs);
      }),
    );
  });
});
