import { offerLifeMs } from "../../../src/ads/auction/live-offers.ts";
import { createSealer } from "../../../src/secrets/sealer.ts";
import type { OfferRow } from "../../../src/store/schema-ads.ts";
import type { Store } from "../../../src/store/store.ts";
import { lowestIdAt, randomBase62 } from "../../../src/ids/time-ordered-id.ts";
import { testSecretKey } from "../../start-service.ts";
import { openTrackingKeys } from "../../../src/ads/serving/tracking-keys.ts";
import { signTokens } from "../../../src/ads/serving/tracking-token.ts";
import type { TestCampaign } from "./make-campaign.ts";

const rowsPerInsert = 500;

/** An offer with its tracking paths. */
export type TestOffer = OfferRow & { clickPath: string; impressionPath: string };

export type OfferWish = Partial<OfferRow> & { accountId: string; campaign: TestCampaign; atMs: number };

function toRow({ accountId, campaign, atMs, ...more }: OfferWish): OfferRow {
  const price = more.price_micro ?? 100_000;
  return {
    id: `${lowestIdAt("ad", atMs)}${randomBase62(14)}`,
    account_id: accountId,
    mode: "live",
    campaign_id: campaign.campaignId,
    creative_id: campaign.creativeId,
    format: "banner",
    placement: "feed",
    category: "gaming",
    trust_band: "unverified",
    price_micro: price,
    share_bps: 7_000,
    developer_micro: Math.floor((price * 7_000) / 10_000),
    at: atMs,
    expires_at: atMs + offerLifeMs,
    impressed_at: atMs + 1,
    clicked_at: null,
    verdict: null,
    ...more,
  };
}

/** Creates offers at any time, signed with the key that the nodes of a test share. */
export async function makeOffers(store: Store, options: OfferWish, count = 1): Promise<TestOffer[]> {
  const rows = Array.from({ length: count }, () => toRow(options));
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await store.db.insertInto("offers").values(rows.slice(from, from + rowsPerInsert)).execute();
  }
  const clock = { nowMs: Date.now, monotonicMs: () => performance.now() };
  const keys = await openTrackingKeys(store, { ...clock, sealer: createSealer({ secretKey: testSecretKey, previous: [] }), onError: () => {} });
  keys.stop();
  return rows.map((row) => {
    const tokens = signTokens(keys.current(), { id: row.id, expiresMs: row.expires_at });
    return { ...row, clickPath: `/t/c/${tokens.click}`, impressionPath: `/t/i/${tokens.impression}` };
  });
}

export async function makeOffer(store: Store, options: OfferWish): Promise<TestOffer> {
  return (await makeOffers(store, options))[0]!;
}

export const readOffer = (store: Store, id: string): Promise<OfferRow> =>
  store.db.selectFrom("offers").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
