import { ConversionParams, ConversionReply, ConversionRequest, conversionDaysMax } from "@assay/contract/ads-report.ts";
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { refusalOf } from "../../access/guard-call.ts";
import type { Limiter, Quota } from "../../access/limits/limiter.ts";
import { rateLimitOf, rateLimitPolicyOf } from "../../access/limits/rate-limit-headers.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime } from "../../formats/time.ts";
import { describeFailures } from "../../http/describe-failures.ts";
import { guardPersonalData } from "../../http/find-personal-data.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { takeTurns } from "../../queues/take-turns.ts";
import type { Store } from "../../store/store.ts";
import { hasToken, isWellFormedToken } from "./campaign-token.ts";
import { reportConversion } from "./report-conversion.ts";

/** A campaign's own: nothing that an advertiser sends counts against anybody's calls. */
const conversionQuota: Quota = { perHour: 20_000, perMinute: 1_000 };
/** Few at once, so that calls, offers and clicks find the store free. Tokens are looked up by network: whoever guesses waits behind itself. */
const lookUpTurns = { atOnceMax: 3, perSubjectMax: 2, waitingMax: 500, what: "look-ups of campaign tokens" };
const conversionTurns = { atOnceMax: 2, perSubjectMax: 1, waitingMax: 500, what: "conversions" };

/** `lineOf`: who waits together. */
type ConversionsContext = { store: Store; limiter: Limiter; nowMs: () => number; lineOf: (ip: string) => string };

/** The same for every wrong token and for every campaign, whether or not it exists. */
const refused = () => new Failure("invalid_api_key", "The campaign's token is missing or wrong.");

/** Anything else is no campaign's id, and some of it no text that a database takes. */
const campaignPattern = /^camp_[0-9A-Za-z]{1,60}$/;
const bearer = /^Bearer +(\S+)$/i;

/** Checks the token, then the campaign's window; the body is read afterwards. */
function guardCampaign({ store, limiter, lineOf }: ConversionsContext): onRequestAsyncHookHandler {
  const inTurn = takeTurns(lookUpTurns);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { campaign_id: campaignId } = request.params as { campaign_id: string };
    const token = bearer.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined || !isWellFormedToken(token) || !campaignPattern.test(campaignId)) throw refused();
    if (!(await inTurn(lineOf(request.ip), () => hasToken(store, campaignId, token)))) throw refused();
    const outcome = await limiter.consume(`conversions:${campaignId}`, conversionQuota);
    reply.header("ratelimit-policy", rateLimitPolicyOf(conversionQuota)).header("ratelimit", rateLimitOf(outcome));
    if (!outcome.allowed) throw refusalOf({ quota: conversionQuota }, outcome);
  };
}

/** Free of charge, with the campaign's token. */
export function addConversionRoute(scope: TypedApp, context: ConversionsContext): void {
  const { store, nowMs } = context;
  const inTurn = takeTurns(conversionTurns);
  scope.addHook("onRequest", guardCampaign(context));
  scope.addHook("preValidation", guardPersonalData(new Set(Object.keys(ConversionRequest.properties))));
  scope.post("/api/campaigns/:campaign_id/conversions", {
    schema: {
      operationId: "reportConversion",
      summary: "Report a conversion",
      description:
        `For advertisers: the visitor who clicked this ad became a customer. At most ${conversionDaysMax} days after a paid click, and counted once. ` +
        "It appears in the reports of both sides and changes no money. Has a window of its own per campaign.",
      tags: ["Campaigns"],
      security: [{ campaignToken: [] }],
      params: ConversionParams,
      body: ConversionRequest,
      response: {
        200: ConversionReply,
        ...describeFailures([
          "invalid_request",
          "personal_data",
          "invalid_api_key",
          "not_found",
          "payload_too_large",
          "unsupported_media_type",
          "rate_limit_exceeded",
          "internal_error",
          "overloaded",
        ]),
      },
    },
    async handler({ params: { campaign_id: campaignId }, body: { ad_id: offerId } }) {
      const outcome = await inTurn(campaignId, () => reportConversion(store, { campaignId, offerId, nowMs: nowMs() }));
      switch (outcome.kind) {
        case "converted":
          return { ad_id: offerId, campaign_id: campaignId, converted_at: isoTime(outcome.atMs) };
        case "no_click":
          throw new Failure("not_found", "This campaign has no paid click on this ad.");
        case "too_late":
          throw new Failure("invalid_request", `ad_id: the click was more than ${conversionDaysMax} days ago`);
      }
    },
  });
}
