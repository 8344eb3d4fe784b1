import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { aRequest, requestOf, someCampaigns, withOffers } from "../../../test/ads/auction/any-auction.ts";
import { makeCampaign, makeRequest, makeSnapshot } from "../../../test/ads/auction/make-campaign.ts";
import { createSeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { type AuctionRequest, decide, type Decision } from "./decide.ts";
import type { AuctionCampaign } from "./snapshot.ts";

/** What a decision says, without the campaign's other settings. */
const outcomeOf = (decision: Decision) =>
  decision.kind === "offer" ? [decision.campaign.id, decision.creative.id, decision.priceMicroUsd, decision.expectedClickRate] : [decision.reason];
const isHouse = (campaign: AuctionCampaign, index: number): AuctionCampaign => (index % 4 === 0 ? { ...campaign, house: true } : campaign);
/** No request of these tests reaches it. */
const unreachableTrust = 100;

describe("a campaign that asks for attested sessions", () => {
  it("is never offered to another session, and serves to an attested one like any campaign", () => {
    const seen = { attested: 0, excluded: 0, others: 0 };
    fc.assert(
      fc.property(someCampaigns, aRequest, (given, wanted) => {
        const campaigns = given.map(isHouse);
        const decideAmong = (offered: readonly AuctionCampaign[], isAttested = wanted.isAttested) =>
          decide(withOffers(offered, wanted.seed), { ...requestOf(wanted), isAttested });
        const decision = decideAmong(campaigns);
        if (wanted.isAttested) {
          assert.deepEqual(outcomeOf(decision), outcomeOf(decideAmong(campaigns.map((each) => ({ ...each, attestedOnly: false })))));
          if (decision.kind === "offer" && decision.campaign.attestedOnly) seen.attested += 1;
          return;
        }
        if (decision.kind === "offer") assert.ok(!decision.campaign.attestedOnly, "offered to a session that is not attested");
        const excluded = campaigns.map((each) => (each.attestedOnly ? { ...each, minTrust: unreachableTrust } : each));
        assert.deepEqual(outcomeOf(decision), outcomeOf(decideAmong(excluded.map((each) => ({ ...each, attestedOnly: false })))), "as if its trust were out of reach");
        const winner = decideAmong(campaigns, true);
        if (winner.kind === "offer" && winner.campaign.attestedOnly) seen.excluded += 1;
        else if (decision.kind === "offer") seen.others += 1;
      }),
      { numRuns: 800, seed: 19, endOnFailure: true },
    );
    assert.ok(Object.values(seen).every((count) => count > 40), `too few cases: ${JSON.stringify(seen)}`);
  });

  it("does not change what other campaigns get, attested or not", () => {
    fc.assert(
      fc.property(someCampaigns, aRequest, (given, wanted) => {
        const campaigns = given.map((each, index) => isHouse({ ...each, attestedOnly: false }, index));
        const [attested, asserted] = [true, false].map((isAttested) => decide(withOffers(campaigns, wanted.seed), { ...requestOf(wanted), isAttested }));
        assert.deepEqual(outcomeOf(attested!), outcomeOf(asserted!));
      }),
      { numRuns: 300, seed: 23, endOnFailure: true },
    );
  });

  it("may ask for a minimum trust as well; whichever is missing, the reason is the trust", () => {
    const reasonFor = (campaign: Partial<AuctionCampaign>, request: Partial<AuctionRequest>) => {
      const decision = decide(makeSnapshot([makeCampaign("it", campaign)]), makeRequest(createSeededRandom(1).next, request));
      return decision.kind === "offer" ? "served" : decision.reason;
    };
    const alone = { attestedOnly: true };
    assert.equal(reasonFor(alone, { isAttested: true, verifiedTrust: 3 }), "served");
    assert.equal(reasonFor(alone, { verifiedTrust: 99 }), "trust_required");
    assert.equal(reasonFor(alone, { isAttested: undefined }), "trust_required");
    const both = { attestedOnly: true, minTrust: 70 };
    assert.equal(reasonFor(both, { isAttested: true, verifiedTrust: 70 }), "served");
    assert.equal(reasonFor(both, { isAttested: true, verifiedTrust: 69.9 }), "trust_required");
    assert.equal(reasonFor(both, { isAttested: false, verifiedTrust: 95 }), "trust_required");
  });

  it("leaves the request to others, and to house ads where no other campaign can serve", () => {
    const strict = makeCampaign("strict", { bidMicroUsd: 900_000, attestedOnly: true });
    const [other, house] = [makeCampaign("other", { bidMicroUsd: 10_000 }), makeCampaign("house", { house: true, bidMicroUsd: 0, budgetMicroUsd: 0 })];
    const winnerOf = (campaigns: AuctionCampaign[], isAttested: boolean) => {
      const decision = decide(makeSnapshot(campaigns), makeRequest(createSeededRandom(1).next, { isAttested }));
      return decision.kind === "offer" ? decision.campaign.id : decision.reason;
    };
    assert.equal(winnerOf([strict, other, house], true), "strict");
    assert.equal(winnerOf([strict, other, house], false), "other");
    assert.equal(winnerOf([strict, house], false), "house");
  });
});
