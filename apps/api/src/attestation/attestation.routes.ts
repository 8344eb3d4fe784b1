/**
 * What pages call: the only routes that strangers' browsers use. They write nothing, wait behind billed calls, and have one hard
 * limit, per network. A site's origins may read the answers; nobody is asked for a cookie.
 */
import { BeatReply, BeatRequest, StartRequest } from "@assay/contract/attestation.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../failure/failure.ts";
import { describeFailures } from "../http/describe-failures.ts";
import { isProxied } from "../http/is-proxied.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { type AnswerBeat, isForbidden, issuesOf, type PageSource, readableBy, replyOf } from "./answer-beat.ts";
import type { NetworkTags } from "./networks/network-tags.ts";
import type { Attestation } from "./open-attestation.ts";
import { startSession } from "./tokens/credit-beat.ts";

declare module "fastify" {
  interface FastifyRequest {
    networkTags: NetworkTags;
  }
}

const bodyBytesMax = 2_048;
const preflightSeconds = 86_400;

const sourceOf = (request: FastifyRequest): PageSource => ({ origin: request.headers.origin, isProxied: isProxied(request) });

/** A page that is not the site's may not read the answer, also not that it is refused. */
function hideFromForeign<Answer>(reply: FastifyReply, work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (isForbidden(error)) for (const name of Object.keys(readableBy(""))) reply.removeHeader(name);
    throw error;
  }
}

/** Texts are accepted as JSON: a page can send them across origins without asking first. */
function parseText(_request: FastifyRequest, text: string, done: (error: Error | null, body?: unknown) => void): void {
  try {
    done(null, JSON.parse(text));
  } catch {
    done(new Failure("invalid_request", "The body is not valid JSON."));
  }
}

export function addAttestationRoutes(
  app: TypedApp,
  { attestation, answerBeat, nowMs, random }: { attestation: Attestation; answerBeat: AnswerBeat; nowMs: () => number; random: () => number },
): void {
  const { sites, tokens, gate, crowds, recorder } = attestation;
  app.addContentTypeParser("text/plain", { parseAs: "string", bodyLimit: bodyBytesMax }, parseText);
  app.decorateRequest("networkTags");

  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    reply.header("vary", "origin");
    if (origin !== undefined && sites.isKnownOrigin(origin)) reply.headers(readableBy(origin));
    if (Number(request.headers["content-length"]) > bodyBytesMax) {
      done(new Failure("payload_too_large", "The body is larger than 2 KiB."));
      return;
    }
    gate.admit(request.raw, request.ip, {
      enter(tags) {
        request.networkTags = tags;
        done();
      },
      refuse: done,
    });
  });

  const failures = describeFailures(["invalid_request", "forbidden", "payload_too_large", "unsupported_media_type", "rate_limit_exceeded", "internal_error", "overloaded"]);

  app.post("/c/v1/start", {
    bodyLimit: bodyBytesMax,
    schema: {
      tags: ["Attested sessions"],
      operationId: "startSession",
      summary: "Begin an attested session",
      description: "Called by the collector on a page, without a key. Only pages of the site's origins can read the answer. Accepts text/plain.",
      body: StartRequest,
      response: { 201: { ...BeatReply, $id: "Started" }, ...failures, ...describeFailures(["not_found"]) },
    },
    async handler(request, reply) {
      const site = sites.find(request.body.site);
      if (!site) throw new Failure("not_found", "There is no site with this id.");
      const issues = hideFromForeign(reply, () => issuesOf(sourceOf(request), site));
      const { networkTags: tags } = request;
      if (await crowds.isCrowded({ tags, siteId: site.id })) issues.push("crowded_network");
      const atMs = nowMs();
      recorder.began(site.id, atMs);
      const state = startSession({ siteId: site.id, accountId: site.accountId, network: tags.today, issues, nowMs: atMs, chance: random() });
      return reply.code(201).send(replyOf(tokens, state));
    },
  });

  app.post("/c/v1/beat", {
    bodyLimit: bodyBytesMax,
    schema: {
      tags: ["Attested sessions"],
      operationId: "beat",
      summary: "Continue an attested session",
      description:
        "Reports what the page has measured since the last beat. What is credited never exceeds the time that passed on the service's clock by more than a second. Accepts text/plain.",
      body: BeatRequest,
      response: { 200: BeatReply, ...failures, ...describeFailures(["invalid_request", "session_token_expired"]) },
    },
    handler(request, reply) {
      reply.send(hideFromForeign(reply, () => answerBeat(request.body, sourceOf(request))));
    },
  });

  // For pages that send application/json. The collector sends text/plain, for which browsers do not ask.
  for (const url of ["/c/v1/start", "/c/v1/beat"]) {
    app.options(url, { schema: { hide: true } }, (_request, reply) => {
      reply
        .headers({ "access-control-allow-methods": "POST", "access-control-allow-headers": "content-type", "access-control-max-age": String(preflightSeconds) })
        .code(204)
        .send();
    });
  }
}
