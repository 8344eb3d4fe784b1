import fc from "fast-check";
import { createLiveOffers } from "../../../src/ads/auction/live-offers.ts";
import type { AuctionRequest } from "../../../src/ads/auction/decide.ts";
import type { AuctionCampaign, ClickHistory, Snapshot } from "../../../src/ads/auction/snapshot.ts";
import { placements } from "../../../src/ads/campaigns/image-formats.ts";
import { msPerDay } from "../../../src/formats/time.ts";
import { createSeededRandom } from "../../faults/rig/seeded-random.ts";
import { makeCampaign, makeRequest, makeSnapshot, noonMs, usd } from "./make-campaign.ts";

const aCampaign = (id: string): fc.Arbitrary<AuctionCampaign> =>
  fc
    .record({
      advertiser: fc.integer({ min: 0, max: 5 }),
      bidMicroUsd: fc.integer({ min: 5_000, max: 900_000 }),
      budgetMicroUsd: fc.integer({ min: 5_000, max: 20 * usd }),
      dailyBudgetMicroUsd: fc.option(fc.integer({ min: 5_000, max: 5 * usd }), { nil: undefined }),
      spentTodayMicroUsd: fc.integer({ min: 0, max: 2 * usd }),
      minTrust: fc.constantFrom(0, 0, 0, 50, 80),
      attestedOnly: fc.constantFrom(false, false, false, true),
      categories: fc.constantFrom([], [], ["gaming"], ["news"], ["gaming", "news"]),
      placements: fc.constantFrom([], [], ["feed"] as const, ["sidebar"] as const),
      startsMs: fc.constantFrom(0, noonMs - 1, noonMs + 1),
      endsMs: fc.constantFrom(undefined, undefined, noonMs + msPerDay, noonMs),
      pacing: fc.constantFrom("asap" as const, "even" as const),
      creatives: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ advertiser, creatives, ...given }) =>
      makeCampaign(id, {
        ...given,
        spentMicroUsd: given.spentTodayMicroUsd,
        advertiserId: `advertiser ${advertiser}`,
        creatives: Array.from({ length: creatives }, (_, index) => ({ id: `creative ${index} of ${id}`, format: "banner" })),
      }),
    );

export const someCampaigns = fc.integer({ min: 1, max: 60 }).chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => aCampaign(`campaign ${index}`))));

/** Click histories of creatives: none, short or long. */
export function historyOf(campaigns: readonly AuctionCampaign[], seed: number): ClickHistory[] {
  const random = createSeededRandom(seed);
  return campaigns.flatMap(({ creatives }) =>
    creatives.flatMap(({ id }) => {
      const impressions = random.isTrue(0.3) ? 0 : Math.round(Math.exp(11 * random.next()));
      const clicks = Math.round(impressions * 0.04 * random.next() ** 2);
      return [{ creativeId: id, placement: placements[random.between(0, 2)]!, category: random.isTrue(0.5) ? "gaming" : "", impressions, clicks }];
    }),
  );
}

export const aRequest = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  category: fc.constantFrom(undefined, "gaming", "news", "unheard-of"),
  verifiedTrust: fc.constantFrom(undefined, 49.9, 50, 95),
  isAttested: fc.boolean(),
  floorMicroUsd: fc.constantFrom(1, 10_000, 50_000),
});
export const requestOf = ({ seed, ...given }: { seed: number } & Partial<AuctionRequest>) => makeRequest(createSeededRandom(seed).next, given);

/** Half of the campaigns have a live offer. */
export function withOffers(campaigns: readonly AuctionCampaign[], seed: number): Snapshot {
  const random = createSeededRandom(seed);
  const liveOffers = createLiveOffers();
  for (const { id: campaignId, bidMicroUsd } of campaigns) {
    if (random.isTrue(0.5)) continue;
    liveOffers.add({ campaignId, priceMicroUsd: Math.ceil(bidMicroUsd * random.next()), expectedClickRate: 3 * random.next(), offeredMs: noonMs - 60_000 });
  }
  return makeSnapshot(campaigns, { history: historyOf(campaigns, seed), liveOffers });
}
