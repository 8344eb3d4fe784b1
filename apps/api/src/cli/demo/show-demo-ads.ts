import { importCampaigns } from "../../ads/campaigns/import-campaigns.ts";
import { moveCampaignTo } from "../../ads/campaigns/change-campaign.ts";
import { selectCreativesOf } from "../../ads/campaigns/campaigns.table.ts";
import { offerLifeMs } from "../../ads/auction/live-offers.ts";
import type { Impression } from "../../ads/clicks/count-impressions.work.ts";
import type { Click } from "../../ads/clicks/decide-clicks.work.ts";
import { trackOffers } from "../../ads/clicks/track-offers.ts";
import { createOfferMaker } from "../../ads/serving/make-offers.ts";
import type { NewOffer } from "../../ads/serving/offer-batch.ts";
import { isoTime, msPerHour } from "../../formats/time.ts";
import { idAt } from "../../ids/time-ordered-id.ts";
import { splitGross } from "../../money/price.ts";
import type { Placement } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { promised } from "../../store/waiter.ts";
import type { DemoCall } from "./draw-demo-traffic.ts";

const priceMicroUsd = 120_000;
/** About; other visitors see no ad. */
const adsPerDay = 70;
const impressionShare = 0.9;
const clickShare = 0.045;
const secondClickShare = 0.1;
/** Real requests name their own categories: nobody else is served this campaign while it is active. */
const category = "assay-demo";
const placements: readonly Placement[] = ["feed", "sidebar"];

export type DemoAds = {
  /** Shows ads to some of a day's sessions, of which a few are clicked. Returns the offers of first clicks. */
  showOn(account: { accountId: string; shareBps: number }, calls: readonly DemoCall[]): Promise<string[]>;
  /** Ends the campaign, so that no real account ever earns from it. */
  end(nowMs: number): Promise<void>;
};

/** A campaign of a demo advertiser. Offers, impressions and clicks go through the code that handles real ones, at their past times. */
export async function openDemoAds(store: Store, context: { fromMs: number; random: () => number }): Promise<DemoAds> {
  const { fromMs, random } = context;
  const campaign = {
    name: "Autumn sale (demo)",
    budget_usd: 1_000,
    bid_usd: 0.2,
    starts: isoTime(fromMs).slice(0, "YYYY-MM-DD".length),
    categories: [category],
    creatives: [
      { format: "banner", headline: "Headphones for open offices", description: "Thirty hours, one charge", cta_text: "Have a look", landing_url: "https://shop.example/headphones" },
    ],
  };
  const imported = await importCampaigns(store, { advertiser: "Demo advertiser", campaigns: [campaign] }, { folder: ".", nowMs: fromMs, actorAccountId: null });
  if (imported.kind === "refused") throw new Error(`the demo campaign could not be made: ${JSON.stringify(imported.faults)}`);
  const campaignId = imported.campaigns[0]!.id;
  const [creative] = await selectCreativesOf(store.db, campaignId).execute();
  const maker = createOfferMaker(store);

  const offerAt = (account: { accountId: string; shareBps: number }, atMs: number): NewOffer => ({
    id: idAt("ad", atMs),
    accountId: account.accountId,
    mode: "live",
    campaignId,
    creativeId: creative!.id,
    format: "banner",
    placement: placements[Math.floor(random() * placements.length)]!,
    category,
    trustBand: "unverified",
    priceMicroUsd,
    shareBps: account.shareBps,
    developerMicroUsd: splitGross({ microUsd: priceMicroUsd, shareBps: account.shareBps }).developerMicroUsd,
    atMs,
    expiresMs: atMs + offerLifeMs,
    sessionId: null,
  });

  return {
    async showOn(account, calls) {
      const offers = calls.filter(() => random() < adsPerDay / calls.length).map((call) => offerAt(account, call.atMs));
      await Promise.all(offers.map((offer) => promised((waiter) => maker.make(offer, waiter))));
      const tracking = trackOffers(store, { nowMs: () => 0, onError: () => {} });
      const seen = offers.filter(() => random() < impressionShare);
      await Promise.all(seen.map((offer): Promise<unknown> => tracking.impression({ offerId: offer.id, atMs: offer.atMs + 800 } satisfies Impression)));
      const clicked = seen.filter(() => random() < clickShare);
      const clickOf = (offer: NewOffer, delayMs: number): Click => ({ offerId: offer.id, atMs: offer.atMs + delayMs, agent: "person" });
      await Promise.all(clicked.map((offer) => tracking.click(clickOf(offer, 2_000 + Math.floor(random() * 60_000)))));
      // A second click of the same visitor is not paid.
      await Promise.all(clicked.filter(() => random() < secondClickShare).map((offer) => tracking.click(clickOf(offer, 0.5 * msPerHour))));
      await tracking.stop();
      return clicked.map(({ id }) => id);
    },
    async end(nowMs) {
      await maker.drain();
      await moveCampaignTo(store, { id: campaignId, to: "ended" }, { actorAccountId: null, nowMs });
    },
  };
}
