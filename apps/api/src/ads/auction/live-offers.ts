import { poissonQuantile999 } from "./poisson-quantile.ts";

/** An offer can be clicked for this long. */
export const offerLifeMs = 2 * 60 * 60 * 1_000;
const slotMs = 4 * 60 * 1_000;
/** The slots that an offer lives through, and the one being filled. */
const slots = offerLifeMs / slotMs + 1;

/** How soon people click is believed like this many clicks, half of them within three minutes, until it is learnt. */
const delayPriorClicks = 50;
const delayPriorHalfMs = 180_000;
/** Sums of what was added and taken away again are not exactly 0. */
const roundingClicks = 1e-9;

export type LiveOffer = { campaignId: string; priceMicroUsd: number; expectedClickRate: number; offeredMs: number };

/** Clicks still to come from a campaign's offers, and what they will cost. */
export type Expected = {
  readonly clicks: number;
  readonly microUsd: number;
  /** What must stay in the budget so that, with a probability of 99.9%, each of these clicks finds its price there. */
  readonly heldMicroUsd: number;
};

const nothingExpected: Expected = { clicks: 0, microUsd: 0, heldMicroUsd: 0 };

/** The live offers of one campaign, summed up by the time they were made. */
export type CampaignOffers = { expectedAt(nowMs: number): Expected };

export type LiveOffers = {
  add(offer: LiveOffer): void;
  /** The offer was clicked, or cannot be clicked any more. Those that run out of time need not be told. */
  remove(offer: LiveOffer): void;
  /** For a valid click: removes the offer, and learns how long people take. */
  clicked(offer: LiveOffer, clickedMs: number): void;
  /** What other nodes' live offers let expect; replaces what was said before. */
  expectElsewhere(campaignId: string, expected: { clicks: number; microUsd: number }): void;
  /** Lives as long as this object, so a snapshot may hold on to it. */
  of(campaignId: string): CampaignOffers;
  /** Forgets campaigns without live offers, but for those to keep. Memory is bounded by the campaigns that served within 2 h. */
  forgetIdle(nowMs: number, keep: ReadonlySet<string>): void;
};

type Sums = {
  /** Per slot: expected clicks, the same times price, the same times price squared. */
  clicks: Float64Array;
  spend: Float64Array;
  spendSquared: Float64Array;
};

/** How likely a click, if it comes at all, is still to come: learnt from the delays of valid clicks. */
function createClickDelays() {
  const counts = new Float64Array(slots);
  let total = 0;
  let shares = sharesOf(counts, total);
  return {
    note(delayMs: number) {
      const slot = Math.min(slots - 1, Math.max(0, Math.floor(delayMs / slotMs)));
      counts[slot] = (counts[slot] ?? 0) + 1;
      total += 1;
    },
    learn: () => void (shares = sharesOf(counts, total)),
    /** For offers made so many slots ago, at their youngest: the most that may still come. */
    stillToCome: (slotsAgo: number) => shares[slotsAgo] ?? 0,
  };
}

function sharesOf(counts: Float64Array, total: number): Float64Array {
  const shares = new Float64Array(slots);
  let later = total;
  for (let slotsAgo = 0; slotsAgo < slots; slotsAgo += 1) {
    // An offer of the slot before may be a moment old, so two slots are expected of in full.
    const youngestMs = Math.max(0, slotsAgo - 1) * slotMs;
    if (slotsAgo >= 2) later -= counts[slotsAgo - 2] ?? 0;
    const prior = delayPriorClicks / (1 + youngestMs / delayPriorHalfMs);
    shares[slotsAgo] = (prior + later) / (delayPriorClicks + total);
  }
  return shares;
}

type Delays = ReturnType<typeof createClickDelays>;

function createCampaignOffers(delays: Delays) {
  let sums: Sums | undefined;
  let elsewhere = { clicks: 0, microUsd: 0 };
  /** Number of the newest slot that the ring has turned to. */
  let newest = 0;
  let known: Expected | undefined;

  function turnTo(slot: number): void {
    if (slot <= newest) return;
    if (sums) {
      const from = Math.max(newest + 1, slot - slots + 1);
      for (let number = from; number <= slot; number += 1) {
        const place = number % slots;
        sums.clicks[place] = sums.spend[place] = sums.spendSquared[place] = 0;
      }
    }
    newest = slot;
    known = undefined;
  }

  function change(offer: LiveOffer, sign: 1 | -1): void {
    const slot = Math.floor(offer.offeredMs / slotMs);
    turnTo(slot);
    if (slot <= newest - slots) return;
    sums ??= { clicks: new Float64Array(slots), spend: new Float64Array(slots), spendSquared: new Float64Array(slots) };
    const { clicks, spend, spendSquared } = sums;
    const place = slot % slots;
    const { expectedClickRate: rate, priceMicroUsd: price } = offer;
    clicks[place] = Math.max(0, (clicks[place] ?? 0) + sign * rate);
    spend[place] = Math.max(0, (spend[place] ?? 0) + sign * rate * price);
    spendSquared[place] = Math.max(0, (spendSquared[place] ?? 0) + sign * rate * price * price);
    known = undefined;
  }

  function sumUp(): Expected {
    let { clicks, microUsd } = elsewhere;
    let squared = clicks > 0 ? (microUsd * microUsd) / clicks : 0;
    if (sums) {
      for (let slotsAgo = 0; slotsAgo < slots && slotsAgo <= newest; slotsAgo += 1) {
        const place = (newest - slotsAgo) % slots;
        const share = delays.stillToCome(slotsAgo);
        clicks += share * (sums.clicks[place] ?? 0);
        microUsd += share * (sums.spend[place] ?? 0);
        squared += share * (sums.spendSquared[place] ?? 0);
      }
    }
    if (clicks < roundingClicks || microUsd <= 0) return nothingExpected;
    // A Poisson number of clicks at one price, with the mean and the variance of these clicks at their many prices.
    const typicalPrice = squared / microUsd;
    const heldMicroUsd = Math.ceil(typicalPrice * poissonQuantile999(microUsd / typicalPrice));
    return { clicks, microUsd, heldMicroUsd };
  }

  return {
    change,
    expectElsewhere(expected: { clicks: number; microUsd: number }) {
      elsewhere = { clicks: expected.clicks, microUsd: expected.microUsd };
      known = undefined;
    },
    expectedAt(nowMs: number): Expected {
      turnTo(Math.floor(nowMs / slotMs));
      known ??= sumUp();
      return known;
    },
  };
}

export function createLiveOffers(): LiveOffers {
  const delays = createClickDelays();
  const campaigns = new Map<string, ReturnType<typeof createCampaignOffers>>();
  let learntAtSlot = 0;

  function offersOf(campaignId: string) {
    let offers = campaigns.get(campaignId);
    if (!offers) campaigns.set(campaignId, (offers = createCampaignOffers(delays)));
    return offers;
  }
  return {
    add: (offer) => offersOf(offer.campaignId).change(offer, 1),
    remove: (offer) => offersOf(offer.campaignId).change(offer, -1),
    clicked(offer, clickedMs) {
      offersOf(offer.campaignId).change(offer, -1);
      delays.note(clickedMs - offer.offeredMs);
      const slot = Math.floor(clickedMs / slotMs);
      if (slot > learntAtSlot) {
        delays.learn();
        learntAtSlot = slot;
      }
    },
    expectElsewhere: (campaignId, expected) => offersOf(campaignId).expectElsewhere(expected),
    of: offersOf,
    forgetIdle(nowMs, keep) {
      for (const [campaignId, offers] of campaigns) {
        if (!keep.has(campaignId) && offers.expectedAt(nowMs).clicks === 0) campaigns.delete(campaignId);
      }
    },
  };
}
