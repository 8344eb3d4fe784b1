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
import { retryAfterSeconds } from "./networks/flood-guard.ts";
import type { NetworkTags } from "./networks/network-tags.ts";
import type { Attestation } from "./open-attestation.ts";
import type { KnownSite } from "./sites/follow-sites.ts";
import { creditBeat, hasExpired, startSession } from "./tokens/credit-beat.ts";
import type { SessionIssue, SessionState } from "./tokens/session-state.ts";

declare module "fastify" {
  interface FastifyRequest {
    networkTags: NetworkTags;
  }
}

const bodyBytesMax = 2_048;
const preflightSeconds = 86_400;

export const sessionTokenExpired = (): Failure => new Failure("session_token_expired", "The session has ended: start a new one.");
const invalidToken = () => new Failure("invalid_request", "token is not a valid session token");

/** 403 unless the page is one of the site's. Without an Origin it is no page: that is noted, and never refused. */
function issuesOf(request: FastifyRequest, reply: FastifyReply, site: KnownSite): SessionIssue[] {
  const { origin } = request.headers;
  const issues: SessionIssue[] = isProxied(request) ? ["proxied"] : [];
  if (origin === undefined) return [...issues, "origin_mismatch"];
  if (site.origins.has(origin)) return issues;
  reply.removeHeader("access-control-allow-origin");
  throw new Failure("forbidden", "Pages of this origin may not use this site: add the origin to the site in the dashboard.");
}

function noteIssues(state: SessionState, issues: readonly SessionIssue[]): SessionState {
  return issues.every((issue) => state.issues.has(issue)) ? state : { ...state, issues: new Set([...state.issues, ...issues]) };
}

/** Texts are accepted as JSON: a page can send them across origins without asking first. */
function parseText(_request: FastifyRequest, text: string, done: (error: Error | null, body?: unknown) => void): void {
  try {
    done(null, JSON.parse(text));
  } catch {
    done(new Failure("invalid_request", "The body is not valid JSON."));
  }
}

export function addAttestationRoutes(app: TypedApp, { attestation, nowMs, random }: { attestation: Attestation; nowMs: () => number; random: () => number }): void {
  const { sites, tokens, tagger, crowds, floodGuard, recorder } = attestation;
  app.addContentTypeParser("text/plain", { parseAs: "string", bodyLimit: bodyBytesMax }, parseText);
  app.decorateRequest("networkTags");

  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    reply.header("vary", "origin");
    // A page reads from a refusal how long to wait.
    if (origin !== undefined && sites.isKnownOrigin(origin)) reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": "retry-after" });
    // Calls whose bytes have arrived go first.
    setImmediate(() => {
      const tags = tagger.tagsOf(request.ip, nowMs());
      if (tags && floodGuard.admit(tags.today)) {
        request.networkTags = tags;
        done();
        return;
      }
      done(new Failure("rate_limit_exceeded", "This network sends too much. Try again in a moment.", undefined, { retryAfterSeconds, limit: "burst" }));
    });
  });

  const failures = describeFailures(["invalid_request", "forbidden", "payload_too_large", "unsupported_media_type", "rate_limit_exceeded", "internal_error", "overloaded"]);
  const answer = (state: SessionState) => ({ token: tokens.seal(state), next_ms: state.nextMs });

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
      const issues = issuesOf(request, reply, site);
      const { networkTags: tags } = request;
      if (await crowds.isCrowded({ tags, siteId: site.id })) issues.push("crowded_network");
      const atMs = nowMs();
      recorder.began(site.id, atMs);
      const state = startSession({ siteId: site.id, accountId: site.accountId, network: tags.today, issues, nowMs: atMs, chance: random() });
      return reply.code(201).send(answer(state));
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
      const { token, d } = request.body;
      const atMs = nowMs();
      const opened = tokens.open(token, atMs);
      if (opened.kind === "invalid") throw invalidToken();
      if (opened.kind === "expired") throw sessionTokenExpired();
      const { state } = opened;
      const site = sites.find(state.siteId);
      // Removed since it began.
      if (!site || hasExpired(state, atMs)) throw sessionTokenExpired();
      const issues = issuesOf(request, reply, site);
      reply.send(answer(creditBeat(noteIssues(state, issues), d, { nowMs: atMs, chance: random() })));
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
