import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { setTimeout as sleep } from "node:timers/promises";
import type { Inventory } from "../campaigns/follow-inventory.ts";
import { explain, Failure, overloaded } from "../../failure/failure.ts";
import type { Store } from "../../store/store.ts";
import { clickAgentOf, isPrefetch } from "./click-agent.ts";
import type { ClickOutcome } from "./decide-clicks.work.ts";
import { selectLanding } from "../serving/offers.table.ts";
import type { RecentOffers } from "../serving/recent-offers.ts";
import type { OfferTracking } from "./track-offers.ts";
import type { TrackingKeys } from "../serving/tracking-keys.ts";
import type { TrackingKind, TrackingToken } from "../serving/tracking-token.ts";

export type TrackContext = {
  store: Store;
  keys: TrackingKeys;
  tracking: OfferTracking;
  inventory: Inventory;
  recent: RecentOffers;
  nowMs: () => number;
  /** Hears of clicks and impressions that the store could not take. */
  onError: (error: unknown) => void;
};

/** A transparent GIF of one pixel. */
const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Where the landing page is known, a person waits no longer than this for what is about money only. */
const decisionMsMax = 2_000;

type TrackRequest = FastifyRequest<{ Params: { token: string } }>;

const unknownAddress = () => new Failure("not_found", "There is nothing at this address. See /docs.");

/** Before anything is asked of the store: whoever has no genuine address gets no further. */
async function readGenuine(keys: TrackingKeys, request: TrackRequest, kind: TrackingKind): Promise<TrackingToken> {
  const token = await keys.verify(request.params.token, kind);
  if (!token) throw unknownAddress();
  return token;
}

function sendPixel(reply: FastifyReply): FastifyReply {
  reply.header("cache-control", "no-store").header("content-type", "image/gif");
  // Pages that isolate themselves from other origins may show it all the same.
  return reply.header("cross-origin-resource-policy", "cross-origin").send(pixel);
}

function sendOn(reply: FastifyReply, landingUrl: string): FastifyReply {
  reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer");
  // As an address, in which every character may stand in a header.
  return reply.code(302).header("location", new URL(landingUrl).href).send();
}

function answerImpression({ keys, tracking, nowMs }: TrackContext) {
  return async (request: TrackRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { offerId, expiresMs } = await readGenuine(keys, request, "impression");
    const atMs = nowMs();
    const isSeen = request.method === "GET" && !isPrefetch(request.headers) && atMs < expiresMs;
    if (isSeen) {
      await tracking.impression({ offerId, atMs }).catch((error: Error) => {
        // Who fires impressions from a server or an app may fire this one again.
        throw overloaded(`an impression could not be counted: ${explain(error)}`, { cause: error });
      });
    }
    return sendPixel(reply);
  };
}

function answerClick({ store, keys, tracking, inventory, recent, nowMs, onError }: TrackContext) {
  /** From memory, for offers of this node. */
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

  /** Where to send the person: whatever becomes of the money, and even if that cannot be told. */
  async function decide(request: TrackRequest, offerId: string): Promise<string> {
    const atMs = nowMs();
    const known = knownLanding(offerId);
    const decided = tracking.click({ offerId, atMs, agent: clickAgentOf(request.headers) }).then(
      (outcome) => {
        learn(offerId, outcome, atMs);
        if (!outcome) throw unknownAddress();
        return outcome.landingUrl;
      },
      (error: unknown) => {
        onError(error);
        return known ?? findLanding(offerId);
      },
    );
    if (known === undefined) return decided;
    const enough = new AbortController();
    const waited = sleep(decisionMsMax, known, { signal: enough.signal }).catch(() => known);
    return Promise.race([decided, waited]).finally(() => enough.abort());
  }

  return async (request: TrackRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { offerId } = await readGenuine(keys, request, "click");
    if (request.method === "HEAD") return sendOn(reply, knownLanding(offerId) ?? (await findLanding(offerId)));
    return sendOn(reply, await decide(request, offerId));
  };
}

/** Without a key and without limits: browsers call these. A signature stands where a key would. */
export function addTrackRoutes(app: FastifyInstance, context: TrackContext): void {
  const schema = { hide: true };
  app.get("/t/i/:token", { schema, handler: answerImpression(context) });
  app.get("/t/c/:token", { schema, handler: answerClick(context) });
}
