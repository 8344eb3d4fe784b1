import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isbot } from "isbot";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { explain, Failure, overloaded } from "../../failure/failure.ts";
import type { Store } from "../../store/store.ts";
import type { Inventory } from "../campaigns/follow-inventory.ts";
import { selectLanding } from "../serving/offers.table.ts";
import type { RecentOffers } from "../serving/request-ad.ts";
import type { TrackingKeys } from "../serving/tracking-keys.ts";
import type { TrackingKind, TrackingToken } from "../serving/tracking-token.ts";
import type { ClickAgent } from "./click-verdict.ts";
import type { ClickOutcome } from "./decide-clicks.work.ts";
import type { ClickOrigins } from "./record-origins.ts";
import type { OfferTracking } from "./track-offers.ts";

export type TrackContext = {
  store: Store;
  keys: TrackingKeys;
  tracking: OfferTracking;
  inventory: Inventory;
  recent: RecentOffers;
  origins: ClickOrigins;
  nowMs: () => number;
  /** Called for clicks that could not be decided. */
  onError: (error: unknown) => void;
};

/** A transparent 1 × 1 GIF. */
const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Where the landing page is known, the redirect waits no longer than this for the decision, which is about money only. */
const decisionMsMax = 2_000;

/** Headers by which browsers mark requests that no visitor has made yet. */
const purposeHeaders = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;
const prefetchPattern = /prefetch|prerender|preview/i;

const isPrefetch = (headers: IncomingHttpHeaders): boolean => purposeHeaders.some((name) => prefetchPattern.test(String(headers[name] ?? "")));

/**
 * Browsers state what a request is for, and pages cannot change it: an image, a script, a frame or a fetch is no person
 * who goes to the advertiser. Older browsers and apps send no such header, and nothing is known about their requests.
 */
function isNavigation({ "sec-fetch-dest": destination, "sec-fetch-mode": mode }: IncomingHttpHeaders): boolean {
  return (destination === undefined || destination === "document") && (mode === undefined || mode === "navigate");
}

/** The user agent is neither stored nor logged. */
function clickAgentOf(headers: IncomingHttpHeaders): ClickAgent {
  if (isPrefetch(headers)) return "prefetch";
  if (isbot(headers["user-agent"])) return "automated_agent";
  return isNavigation(headers) ? "person" : "not_a_navigation";
}

type TrackRequest = FastifyRequest<{ Params: { token: string } }>;

const unknownAddress = () => new Failure("not_found", "There is nothing at this address. See /docs.");

/** Runs before any store access, so that forged URLs cost no query. */
async function verifyToken(keys: TrackingKeys, request: TrackRequest, kind: TrackingKind): Promise<TrackingToken> {
  const token = await keys.verify(request.params.token, kind);
  if (!token) throw unknownAddress();
  return token;
}

function sendPixel(reply: FastifyReply): FastifyReply {
  reply.header("cache-control", "no-store").header("content-type", "image/gif");
  // Allows cross-origin isolated pages to load it.
  return reply.header("cross-origin-resource-policy", "cross-origin").send(pixel);
}

/** Where an advertiser wants the ad's id, to report conversions by it. In a path, stored addresses have it percent-encoded. */
const adIdPlace = /\{ad_id\}|%7Bad_id%7D/gi;

function redirect(reply: FastifyReply, landingUrl: string, offerId: string): FastifyReply {
  reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer");
  // `href` is percent-encoded, so every character is valid in a header. An id is letters, digits and an underscore.
  return reply.code(302).header("location", new URL(landingUrl.replaceAll(adIdPlace, offerId)).href).send();
}

function answerImpression({ keys, tracking, nowMs }: TrackContext) {
  return async (request: TrackRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { offerId, expiresMs } = await verifyToken(keys, request, "impression");
    const atMs = nowMs();
    const isSeen = request.method === "GET" && !isPrefetch(request.headers) && atMs < expiresMs;
    if (isSeen) {
      await tracking.impression({ offerId, atMs }).catch((error: Error) => {
        // A 503 lets servers and apps that report impressions retry.
        throw overloaded(`an impression could not be counted: ${explain(error)}`, { cause: error });
      });
    }
    return sendPixel(reply);
  };
}

function answerClick({ store, keys, tracking, inventory, recent, origins, nowMs, onError }: TrackContext) {
  /** From memory: only this node's recent offers. */
  function knownLanding(offerId: string): string | undefined {
    const offer = recent.find(offerId);
    return offer && inventory.current().creatives.get(offer.creativeId)?.landingUrl;
  }

  async function findLanding(offerId: string): Promise<string> {
    const row = await selectLanding(store.db, offerId)
      .executeTakeFirst()
      .catch((error: Error) => {
        throw overloaded(`a landing page could not be looked up: ${explain(error)}`, { cause: error });
      });
    if (!row) throw unknownAddress();
    return row.landing_url;
  }

  function learn(offerId: string, outcome: ClickOutcome, atMs: number): void {
    const offer = recent.find(offerId);
    if (offer && outcome?.verdict === "paid") inventory.liveOffers.clicked(offer, atMs);
  }

  /** Decides the click and returns the landing page, even if the decision fails. */
  async function decide(request: TrackRequest, offerId: string): Promise<string> {
    const atMs = nowMs();
    const known = knownLanding(offerId);
    const decided = tracking.click({ offerId, atMs, agent: clickAgentOf(request.headers) }).then(
      (outcome) => {
        learn(offerId, outcome, atMs);
        if (outcome?.verdict === "paid" || outcome?.verdict === "awaiting_impression") {
          const isDescribed = request.headers["sec-fetch-mode"] !== undefined || request.headers["sec-fetch-dest"] !== undefined;
          origins.note({ offerId, accountId: outcome.accountId, address: request.ip, atMs, isDescribed });
        }
        if (!outcome) throw unknownAddress();
        return outcome.landingUrl;
      },
      (error: unknown) => {
        onError(error);
        return known ?? findLanding(offerId);
      },
    );
    if (known === undefined) return decided;
    const timer = new AbortController();
    const timedOut = sleep(decisionMsMax, known, { signal: timer.signal }).catch(() => known);
    return Promise.race([decided, timedOut]).finally(() => timer.abort());
  }

  return async (request: TrackRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { offerId } = await verifyToken(keys, request, "click");
    if (request.method === "HEAD") return redirect(reply, knownLanding(offerId) ?? (await findLanding(offerId)), offerId);
    return redirect(reply, await decide(request, offerId), offerId);
  };
}

/** Browsers call these routes: they need no API key and have no rate limit. The token's signature authenticates them. */
export function addTrackRoutes(app: FastifyInstance, context: TrackContext): void {
  const schema = { hide: true };
  app.get("/t/i/:token", { schema, handler: answerImpression(context) });
  app.get("/t/c/:token", { schema, handler: answerClick(context) });
}
