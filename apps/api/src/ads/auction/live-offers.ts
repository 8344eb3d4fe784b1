/** An offer can be clicked for this long. */
export const offerLifeMs = 2 * 60 * 60 * 1_000;
const slotMs = 4 * 60 * 1_000;
/** The slots of an offer's lifetime, plus the one being filled. */
const slots = offerLifeMs / slotMs + 1;

/** The prior of click delays: this many clicks, half of them within three minutes. */
const delayPriorClicks = 50;
const delayPriorHalfMs = 180_000;
/** Sums of added and removed offers are not exactly 0. */
const roundingClicks = 1e-9;

export type LiveOffer = {
  campaignId: string;
  /** Whose unclicked offers it counts among; undefined: nobody's. */
  accountId?: string;
  priceMicroUsd: number;
  expectedClickRate: number;
  offeredMs: number;
};

/** Clicks still expected on a campaign's live offers, and their cost. */
export type Expected = {
  readonly clicks: number;
  readonly microUsd: number;
  /** The budget to reserve so that it covers all of these clicks with a probability of 99.9%. */
  readonly reservedMicroUsd: number;
};

const nothingExpected: Expected = { clicks: 0, microUsd: 0, reservedMicroUsd: 0 };

/** The live offers of one campaign, summed by the time they were made. */
export type CampaignOffers = {
  expectedAt(nowMs: number): Expected;
  /** The expected cost of one account's unclicked offers on all nodes, as if each node had as many as this one. */
  expectedOfAccount(accountId: string, nowMs: number): number;
};

export type LiveOffers = {
  add(offer: LiveOffer): void;
  /** For an offer that can no longer be clicked. Expired offers drop out by themselves. */
  remove(offer: LiveOffer): void;
  /** For a valid click: removes the offer, and learns from its delay. */
  clicked(offer: LiveOffer, clickedMs: number): void;
  /** What is expected from other nodes' live offers; replaces the previous value. */
  setExpectedElsewhere(campaignId: string, expected: { clicks: number; microUsd: number }): void;
  /** How many nodes make offers, this one included. */
  setNodes(count: number): void;
  /** Stays valid as long as this object, so a snapshot may hold it. */
  of(campaignId: string): CampaignOffers;
  /** Drops campaigns without live offers, except those to keep. The campaigns that served within 2 h bound the memory. */
  evictIdle(nowMs: number, keep: ReadonlySet<string>): void;
};

/** Up to this mean the distribution is summed. Above, the sum is long and the expansion is within one click of it. */
const summedMeanMax = 60;
/** The 99.9% point of the standard normal. */
const normalScore999 = 3.090232306167813;

/**
 * The 99.9% quantile of the Poisson distribution. For a large mean it is the Cornish–Fisher expansion, rounded up:
 * never below the exact value, at most one above.
 */
export function poissonQuantile999(mean: number): number {
  if (mean <= 0) return 0;
  if (mean <= summedMeanMax) {
    let probability = Math.exp(-mean);
    let cumulated = probability;
    let count = 0;
    while (cumulated < 0.999) {
      count += 1;
      probability *= mean / count;
      cumulated += probability;
    }
    return count;
  }
  const z = normalScore999;
  return Math.ceil(mean + z * Math.sqrt(mean) + (z * z - 1) / 6);
}

type Sums = {
  /** Per slot: expected clicks, the same times price, the same times price squared. */
  clicks: Float64Array;
  spend: Float64Array;
  spendSquared: Float64Array;
};

/** The probability that a click, if it comes at all, is still to come: learnt from the delays of valid clicks. */
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
    /** An upper bound: assumes the youngest age of offers made `slotsAgo` slots ago. */
    stillToCome: (slotsAgo: number) => shares[slotsAgo] ?? 0,
  };
}

function sharesOf(counts: Float64Array, total: number): Float64Array {
  const shares = new Float64Array(slots);
  let later = total;
  for (let slotsAgo = 0; slotsAgo < slots; slotsAgo += 1) {
    // An offer of the previous slot may have just been made, so the latest two slots count in full.
    const youngestMs = Math.max(0, slotsAgo - 1) * slotMs;
    if (slotsAgo >= 2) later -= counts[slotsAgo - 2] ?? 0;
    const prior = delayPriorClicks / (1 + youngestMs / delayPriorHalfMs);
    shares[slotsAgo] = (prior + later) / (delayPriorClicks + total);
  }
  return shares;
}

type Delays = ReturnType<typeof createClickDelays>;

/** One account's unclicked offers: their expected cost by the slot they were made in, the oldest slot first. */
type AccountOffers = { slots: number[]; microUsd: number[] };

/** The accounts with unclicked offers of one campaign. Accounts without live offers are dropped with each new slot. */
function createAccountSums(delays: Delays) {
  const accounts = new Map<string, AccountOffers>();
  return {
    change(accountId: string, slot: number, microUsd: number): void {
      let known = accounts.get(accountId);
      if (!known) accounts.set(accountId, (known = { slots: [], microUsd: [] }));
      let place = known.slots.length - 1;
      while (place >= 0 && known.slots[place]! > slot) place -= 1;
      if (place >= 0 && known.slots[place] === slot) {
        known.microUsd[place] = Math.max(0, known.microUsd[place]! + microUsd);
      } else if (microUsd > 0) {
        known.slots.splice(place + 1, 0, slot);
        known.microUsd.splice(place + 1, 0, microUsd);
      }
    },
    dropExpired(newest: number): void {
      for (const [accountId, { slots: made, microUsd }] of accounts) {
        while (made.length > 0 && made[0]! <= newest - slots) {
          made.shift();
          microUsd.shift();
        }
        if (made.length === 0) accounts.delete(accountId);
      }
    },
    of(accountId: string, newest: number): number {
      const known = accounts.get(accountId);
      if (!known) return 0;
      return known.slots.reduce((sum, slot, place) => sum + delays.stillToCome(newest - slot) * known.microUsd[place]!, 0);
    },
  };
}

function createCampaignOffers(delays: Delays, nodes: { readonly count: number }) {
  let sums: Sums | undefined;
  let elsewhere = { clicks: 0, microUsd: 0 };
  /** The newest slot in the ring. */
  let newest = 0;
  let known: Expected | undefined;
  const accounts = createAccountSums(delays);

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
    accounts.dropExpired(newest);
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
    if (offer.accountId !== undefined) accounts.change(offer.accountId, slot, sign * rate * price);
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
    // Approximates the cost by Poisson clicks at one price, with the mean and variance of the clicks at their own prices.
    const typicalPrice = squared / microUsd;
    const reservedMicroUsd = Math.ceil(typicalPrice * poissonQuantile999(microUsd / typicalPrice));
    return { clicks, microUsd, reservedMicroUsd };
  }

  return {
    change,
    setExpectedElsewhere(expected: { clicks: number; microUsd: number }) {
      elsewhere = { clicks: expected.clicks, microUsd: expected.microUsd };
      known = undefined;
    },
    expectedAt(nowMs: number): Expected {
      turnTo(Math.floor(nowMs / slotMs));
      known ??= sumUp();
      return known;
    },
    expectedOfAccount(accountId: string, nowMs: number): number {
      turnTo(Math.floor(nowMs / slotMs));
      return nodes.count * accounts.of(accountId, newest);
    },
  };
}

export function createLiveOffers(): LiveOffers {
  const delays = createClickDelays();
  const nodes = { count: 1 };
  const campaigns = new Map<string, ReturnType<typeof createCampaignOffers>>();
  let learntAtSlot = 0;

  function offersOf(campaignId: string) {
    let offers = campaigns.get(campaignId);
    if (!offers) campaigns.set(campaignId, (offers = createCampaignOffers(delays, nodes)));
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
    setExpectedElsewhere: (campaignId, expected) => offersOf(campaignId).setExpectedElsewhere(expected),
    setNodes: (count) => void (nodes.count = count),
    of: offersOf,
    evictIdle(nowMs, keep) {
      for (const [campaignId, offers] of campaigns) {
        if (!keep.has(campaignId) && offers.expectedAt(nowMs).clicks === 0) campaigns.delete(campaignId);
      }
    },
  };
}
