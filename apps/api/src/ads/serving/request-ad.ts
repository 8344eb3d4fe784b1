import type { AdRequest, NoFillReason } from "@assay/contract/ads.ts";
import { floorMicroUsd } from "../auction/floor-price.ts";
import { decide, type Decision } from "../auction/decide.ts";
import { offerLifeMs } from "../auction/live-offers.ts";
import type { AdFormat, Placement } from "../auction/snapshot.ts";
import type { Inventory, ServedCreative } from "../campaigns/follow-inventory.ts";
import type { Caller } from "../../access/keys/caller.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { CategoryNames } from "./category-names.ts";
import type { OfferMaker } from "./make-offers.ts";
import type { NoFillCounts } from "./no-fill-counts.ts";
import type { NewOffer } from "./offer-batch.ts";
import type { RecentOffers } from "./recent-offers.ts";
import type { SessionTrust, VerifiedSession } from "./session-trust.ts";
import type { TrackingKeys } from "./tracking-keys.ts";
import { signTokens } from "./tracking-token.ts";
import type { createAdWriter } from "./write-ad.ts";
import { splitGross } from "../../money/price.ts";

export type AdContext = {
  inventory: Inventory;
  offers: OfferMaker;
  recent: RecentOffers;
  sessions: SessionTrust;
  keys: TrackingKeys;
  noFills: NoFillCounts;
  categories: CategoryNames;
  writer: ReturnType<typeof createAdWriter>;
  nowMs: () => number;
  random: () => number;
};

export type AdOutcome = { kind: "ad"; body: string } | { kind: "no_fill"; reason: NoFillReason };

/** A request with its defaults filled in, and in the spelling that campaigns use. */
export type AdWish = { format: AdFormat; placement: Placement; category: string; sessionId: string | undefined };

export function toWish({ format = "banner", placement, user_context: context }: AdRequest): AdWish {
  return {
    format,
    placement: placement ?? (format === "interstitial" ? "fullscreen" : "feed"),
    category: context?.app_category?.toLowerCase() ?? "",
    sessionId: context?.session_id,
  };
}

type Win = Decision & { kind: "offer" };

/** A test key's offer is worth nothing: nobody will ever be paid for it. */
function toNewOffer(caller: Caller, wish: AdWish, win: Win, about: { session: VerifiedSession | undefined; category: string; atMs: number }): NewOffer {
  const { session, category, atMs } = about;
  const priceMicroUsd = caller.mode === "live" ? win.priceMicroUsd : 0;
  return {
    id: timeOrderedId("ad", atMs),
    accountId: caller.accountId,
    mode: caller.mode,
    campaignId: win.campaign.id,
    creativeId: win.creative.id,
    format: wish.format,
    placement: wish.placement,
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

/** Finds the ad for one request and makes its offer durable, or says why there is none. */
export function createAdRequests(context: AdContext) {
  const { inventory, offers, recent, sessions, keys, noFills, categories, writer, nowMs, random } = context;

  function refuse(caller: Caller, reason: NoFillReason, atMs: number): AdOutcome {
    if (caller.mode === "live") noFills.count({ accountId: caller.accountId, reason, atMs });
    return { kind: "no_fill", reason };
  }

  async function commit(offer: NewOffer, win: Win, creative: ServedCreative, session: VerifiedSession | undefined): Promise<"made" | "refused"> {
    const live = {
      campaignId: offer.campaignId,
      priceMicroUsd: offer.priceMicroUsd,
      expectedClickRate: win.expectedClickRate,
      offeredMs: offer.atMs,
    };
    const isPaying = offer.priceMicroUsd > 0;
    // From now on, not from its commit on: the decisions in between must know of it.
    if (isPaying) inventory.liveOffers.add(live);
    try {
      if ((await offers.make(offer)) === "made") {
        recent.add(offer.id, { ...live, creativeId: creative.id });
        return "made";
      }
    } catch (error) {
      if (isPaying) inventory.liveOffers.remove(live);
      throw error;
    }
    if (isPaying) inventory.liveOffers.remove(live);
    if (session) session.usedUp = true;
    return "refused";
  }

  async function answer(caller: Caller, wish: AdWish, session: VerifiedSession | undefined): Promise<AdOutcome> {
    const atMs = nowMs();
    if (session?.usedUp) return refuse(caller, "session_offer_limit", atMs);
    const { snapshot, creatives } = inventory.current();
    const { format, placement, category } = wish;
    const request = {
      format,
      placement,
      category: category === "" ? undefined : category,
      verifiedTrust: session?.score,
      houseAdsAllowed: caller.houseAds,
      nowMs: atMs,
      random,
      floorMicroUsd,
    };
    const decision = decide(snapshot, request);
    inventory.statistics.note(snapshot, request, decision);
    if (decision.kind === "no_fill") return refuse(caller, decision.reason, atMs);
    const creative = creatives.get(decision.creative.id);
    if (!creative || !writer.canShow(creative, placement)) return refuse(caller, "no_campaign", atMs);
    const learntCategory = categories.keep(category, snapshot.categoryOf(category));
    const offer = toNewOffer(caller, wish, decision, { session, category: learntCategory, atMs });
    const committed = commit(offer, decision, creative, session);
    // Signed while the commit is under way.
    const { id: offerId, developerMicroUsd, expiresMs } = offer;
    const tokens = signTokens(keys.current(), { id: offerId, expiresMs });
    const body = writer.write({ creative, placement, offerId, tokens, developerMicroUsd, expiresMs });
    return (await committed) === "made" ? { kind: "ad", body } : refuse(caller, "session_offer_limit", atMs);
  }

  return (caller: Caller, request: AdRequest): Promise<AdOutcome> => {
    const wish = toWish(request);
    if (wish.sessionId === undefined) return answer(caller, wish, undefined);
    const session = sessions.verify({ accountId: caller.accountId, mode: caller.mode, sessionId: wish.sessionId, nowMs: nowMs() });
    if (session instanceof Promise) return session.then((each) => answer(caller, wish, each));
    return answer(caller, wish, session);
  };
}
