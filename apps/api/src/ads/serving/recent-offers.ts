import type { LiveOffer } from "../auction/live-offers.ts";

/** An offer that this node made, as long as it is remembered. */
export type RecentOffer = LiveOffer & { creativeId: string };

const offersMax = 20_000;

export type RecentOffers = {
  add(offerId: string, offer: RecentOffer): void;
  find(offerId: string): RecentOffer | undefined;
};

/** The latest offers of this node: what needs no store is found here when the store is away. The oldest make room. */
export function createRecentOffers(): RecentOffers {
  const offers = new Map<string, RecentOffer>();
  return {
    add(offerId, offer) {
      if (offers.size >= offersMax) offers.delete(offers.keys().next().value!);
      offers.set(offerId, offer);
    },
    find: (offerId) => offers.get(offerId),
  };
}
