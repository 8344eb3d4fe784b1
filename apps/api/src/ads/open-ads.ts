import type { Model } from "@assay/scoring/model.ts";
import type { NetworkTagger } from "../attestation/networks/network-tags.ts";
import type { Sealer } from "../secrets/sealer.ts";
import type { Store } from "../store/store.ts";
import type { Inventory } from "./campaigns/follow-inventory.ts";
import { recordClickOrigins } from "./clicks/record-origins.ts";
import { trackOffers } from "./clicks/track-offers.ts";
import type { TrackContext } from "./clicks/track.route.ts";
import { createOfferMaker } from "./serving/make-offers.ts";
import { createNoFillCounts } from "./serving/no-fill-counts.ts";
import { createAdRequests, createRecentOffers } from "./serving/request-ad.ts";
import { createSessionTrust } from "./serving/session-trust.ts";
import { shareLiveOffers } from "./serving/share-live-offers.ts";
import { openTrackingKeys } from "./serving/tracking-keys.ts";
import { type AdAddresses, createAdWriter } from "./serving/write-ad.ts";

export type Ads = {
  requestAd: ReturnType<typeof createAdRequests>;
  track: TrackContext;
  /** Completes pending work; the store must still be open. */
  close(): Promise<void>;
};

export type AdsSettings = {
  inventory: Inventory;
  sealer: Sealer;
  tagger: NetworkTagger;
  /** Counts that all nodes share, where there is Redis. */
  sharedCountsOf: Parameters<typeof recordClickOrigins>[1]["sharedOf"];
  /** Verifies trust: the newest, as it is shipped. */
  model: Model;
  /** Called when the first ad is written: the port may not be known before. */
  addresses: () => AdAddresses;
  nowMs: () => number;
  monotonicMs: () => number;
  random: () => number;
  /** Makes the error handler of a background task from the message to log. */
  onError: (message: string) => (error: unknown) => void;
};

export async function openAds(store: Store, settings: AdsSettings): Promise<Ads> {
  const { inventory, sealer, model, nowMs, monotonicMs, random, onError } = settings;
  const keys = await openTrackingKeys(store, { sealer, nowMs, monotonicMs, onError: onError("tracking keys could not be read") });
  const offers = createOfferMaker(store, onError("an answer could not be sent"));
  const noFills = createNoFillCounts(store, onError("requests without an ad could not be counted"));
  const recent = createRecentOffers();
  const tracking = trackOffers(store, { nowMs, onError: onError("clicks awaiting their impression could not be settled") });
  const origins = recordClickOrigins(store, { tagger: settings.tagger, sharedOf: settings.sharedCountsOf, nowMs, onError: onError("the order of clicks could not be written") });
  const sharing = shareLiveOffers(store, {
    liveOffers: inventory.liveOffers,
    campaignIds: () => inventory.current().campaigns.keys(),
    nowMs,
    onError: onError("live offers could not be shared with other nodes"),
  });
  const requestAd = createAdRequests({
    inventory,
    offers,
    recent,
    sessions: createSessionTrust(store, { model }),
    keys,
    noFills,
    writer: createAdWriter(settings.addresses),
    nowMs,
    random,
  });
  return {
    requestAd,
    track: { store, keys, tracking, inventory, recent, origins, nowMs, onError: onError("a click could not be decided") },
    async close() {
      keys.stop();
      await offers.drain();
      await tracking.stop();
      await origins.stop();
      await noFills.stop();
      await sharing.stop();
    },
  };
}
