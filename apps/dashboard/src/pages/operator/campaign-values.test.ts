import type { Campaign } from "@assay/contract/dashboard/campaigns.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changesOf, emptyCampaign, termsOf, valuesOf } from "./campaign-values.ts";

const campaign: Campaign = {
  id: "camp_1",
  advertiser: { id: "adv_1", name: "Acme" },
  name: "Spring",
  status: "active",
  house: false,
  budget_usd: 10.5,
  daily_budget_usd: null,
  bid_usd: 0.25,
  spend_usd: 0,
  starts: "2026-01-31T09:30:00.000Z",
  ends: null,
  categories: ["gaming", "news"],
  placements: ["feed"],
  min_trust: 40,
  min_attestation: null,
  pacing: "even",
  created_at: "2026-01-01T00:00:00.000Z",
  fills: 0,
  impressions: 0,
  valid_clicks: 0,
  ctr: null,
};

describe("campaign form values", () => {
  it("round-trips a campaign's terms", () => {
    assert.deepEqual(termsOf(valuesOf(campaign)), {
      name: "Spring",
      budget_usd: 10.5,
      bid_usd: 0.25,
      daily_budget_usd: null,
      starts: "2026-01-31T09:30:00Z",
      ends: null,
      categories: ["gaming", "news"],
      placements: ["feed"],
      min_trust: 40,
      min_attestation: null,
      pacing: "even",
    });
  });

  it("asks for attested sessions if chosen, and for any session again as null", () => {
    const attested = valuesOf({ ...campaign, min_attestation: "server_timed" });
    assert.equal(termsOf(attested).min_attestation, "server_timed");
    assert.deepEqual(changesOf(valuesOf(campaign), attested), { min_attestation: "server_timed" });
    assert.deepEqual(changesOf(attested, valuesOf(campaign)), { min_attestation: null });
    assert.equal(termsOf(emptyCampaign).min_attestation, null);
  });

  it("normalizes categories and treats empty fields as null", () => {
    const terms = termsOf({ ...emptyCampaign, categories: " Gaming,, news ,", budget_usd: "5", bid_usd: "0.1" });
    assert.deepEqual([terms.categories, terms.starts, terms.ends, terms.daily_budget_usd], [["gaming", "news"], null, null, null]);
  });

  it("sends only changed terms", () => {
    const before = valuesOf(campaign);
    assert.deepEqual(changesOf(before, { ...before, budget_usd: "20" }), { budget_usd: 20 });
    assert.deepEqual(changesOf(before, { ...before, placements: ["feed", "sidebar"], ends: "2027-01-01T00:00" }), { placements: ["feed", "sidebar"], ends: "2027-01-01T00:00:00Z" });
    assert.deepEqual(changesOf(before, before), {});
  });
});
