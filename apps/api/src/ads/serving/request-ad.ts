import type { AdRequest, NoFillReason } from "@assay/contract/ads.ts";
import type { Caller } from "../../access/keys/caller.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { splitGross } from "../../money/price.ts";
import type { AdFormat, Placement } from "../../store/schema-ads.ts";
import type { Waiter } from "../../store/waiter.ts";
import { decide, type Decision } from "../auction/decide.ts";
import { type LiveOffer, offerLifeMs } from "../auction/live-offers.ts";
import { floorMicroUsd } from "../auction/snapshot.ts";
import type { Inventory } from "../campaigns/follow-inventory.ts";
import { createCategoryNames } from "./category-names.ts";
import type { OfferMaker } from "./make-offers.ts";
import type { NoFillCounts } from "./no-fill-counts.ts";
import type { NewOffer } from "./offer-batch.ts";
import type { SessionTrust, VerifiedSession } from "./session-trust.ts";
import type { TrackingKeys } from "./tracking-keys.ts";
import { signTokens } from "./tracking-token.ts";
import type { createAdWriter } from "./write-ad.ts";

const recentOffersMax = 20_000;

export type RecentOffer = LiveOffer & { creativeId: string };
export type RecentOffers = {
  add(offerId: string, offer: RecentOffer): void;
  find(offerId: string): RecentOffer | undefined;
};

/**
 * This node's latest offers, half as many as the bound at least: clicks on them find their landing page while the store is
 * unreachable. Evicts the older half at once: the first key of a Map is found by passing over all that were deleted.
 */
export function createRecentOffers(offersMax = recentOffersMax): RecentOffers {
  let newer = new Map<string, RecentOffer>();
  let older = newer;
  return {
    add(offerId, offer) {
      if (newer.size >= offersMax / 2) {
        older = newer;
        newer = new Map();
      }
      newer.set(offerId, offer);
    },
    find: (offerId) => newer.get(offerId) ?? older.get(offerId),
  };
}

export type AdContext = {
  inventory: Inventory;
  offers: OfferMaker;
  recent: RecentOffers;
  sessions: SessionTrust;
  keys: TrackingKeys;
  noFills: NoFillCounts;
  writer: ReturnType<typeof createAdWriter>;
  nowMs: () => number;
  random: () => number;
};

export type AdOutcome = { kind: "ad"; body: string; /** Of the body. */ bytes: number } | { kind: "no_fill"; reason: NoFillReason };

/** A request with its defaults filled in and its category in lower case, as in campaigns. */
export type ResolvedRequest = { format: AdFormat; placement: Placement; category: string; sessionId: string | undefined };

export function resolveRequest({ format = "banner", placement, user_context: context }: AdRequest): ResolvedRequest {
  return {
    format,
    placement: placement ?? (format === "interstitial" ? "fullscreen" : "feed"),
    category: context?.app_category?.toLowerCase() ?? "",
    sessionId: context?.session_id,
  };
}

type Win = Decision & { kind: "offer" };

/** A test key's offer has price 0: its click is never paid. */
function toNewOffer(caller: Caller, wanted: ResolvedRequest, win: Win, about: { session: VerifiedSession | undefined; category: string; atMs: number }): NewOffer {
  const { session, category, atMs } = about;
  const priceMicroUsd = caller.mode === "live" ? win.priceMicroUsd : 0;
  return {
    id: timeOrderedId("ad", atMs),
    accountId: caller.accountId,
    mode: caller.mode,
    campaignId: win.campaign.id,
    creativeId: win.creative.id,
    format: wanted.format,
    placement: wanted.placement,
    category,
    trustBand: session?.band ?? "unverified",
    priceMicroUsd,
    shareBps: caller.shareBps,
    developerMicroUsd: splitGross({ microUsd: priceMicroUsd, shareBps: caller.shareBps }).developerMicroUsd,
    atMs,
    expiresMs: atMs + offerLifeMs,
    sessionId: session?.id ?? null,
  };
}

/** Finds the ad for a request and commits its offer, or tells the no-fill reason, often at once. */
export function createAdRequests(context: AdContext) {
  const { inventory, offers, recent, sessions, keys, noFills, writer, nowMs, random } = context;
  const categories = createCategoryNames();

  function answer(caller: Caller, wanted: ResolvedRequest, session: VerifiedSession | undefined, waiter: Waiter<AdOutcome>): void {
    const atMs = nowMs();
    const { snapshot, creatives } = inventory.current();
    const { format, placement, category } = wanted;
    const { accountId } = caller;
    const storedCategory = categories.nameToStore({ accountId, category, known: snapshot.categoryOf(category), atMs });
    const refuse = (reason: NoFillReason): void => {
      if (caller.mode === "live") noFills.count({ accountId, format, placement, category: storedCategory, reason, atMs });
      waiter.settle({ kind: "no_fill", reason });
    };
    if (session?.isUsedUp) return refuse("session_offer_limit");
    const request = {
      format,
      placement,
      category: category === "" ? undefined : category,
      // A test key's offers cost nothing, so they reserve nothing.
      accountId: caller.mode === "live" ? caller.accountId : undefined,
      verifiedTrust: session?.score,
      isAttested: session?.isAttested,
      houseAdsAllowed: caller.houseAds,
      nowMs: atMs,
      random,
      floorMicroUsd,
    };
    const decision = decide(snapshot, request);
    inventory.statistics.note(snapshot, request, decision);
    if (decision.kind === "no_fill") return refuse(decision.reason);
    const creative = creatives.get(decision.creative.id);
    if (!creative || !writer.canShow(creative, placement)) return refuse("no_campaign");
    const offer = toNewOffer(caller, wanted, decision, { session, category: storedCategory, atMs });
    const { id: offerId, developerMicroUsd, expiresMs } = offer;
    const tokens = signTokens(keys.current(), { id: offerId, expiresMs });
    const written = writer.write({ creative, placement, offerId, tokens, developerMicroUsd, expiresMs });
    const live = { campaignId: offer.campaignId, accountId: offer.accountId, priceMicroUsd: offer.priceMicroUsd, expectedClickRate: decision.expectedClickRate, offeredMs: atMs };
    // Before the commit, so that decisions made meanwhile take the offer into account.
    if (offer.priceMicroUsd > 0) inventory.liveOffers.add(live);
    offers.make(offer, {
      settle(outcome) {
        if (outcome === "made") {
          recent.add(offerId, { ...live, creativeId: creative.id });
          return waiter.settle({ kind: "ad", ...written });
        }
        if (offer.priceMicroUsd > 0) inventory.liveOffers.remove(live);
        if (session) session.isUsedUp = true;
        return refuse("session_offer_limit");
      },
      fail(error) {
        if (offer.priceMicroUsd > 0) inventory.liveOffers.remove(live);
        waiter.fail(error);
      },
    });
  }

  return (caller: Caller, request: AdRequest, waiter: Waiter<AdOutcome>): void => {
    const wanted = resolveRequest(request);
    if (wanted.sessionId === undefined) return answer(caller, wanted, undefined, waiter);
    const session = sessions.verify({ accountId: caller.accountId, mode: caller.mode, sessionId: wanted.sessionId, nowMs: nowMs() });
    if (!(session instanceof Promise)) return answer(caller, wanted, session, waiter);
    session.then((each) => answer(caller, wanted, each, waiter)).catch((error: unknown) => waiter.fail(error));
  };
}
