import type { FastifyInstance } from "fastify";
import { subscribe } from "node:diagnostics_channel";
import type { SeenAnswer } from "../../http/check-answer.ts";
import type { OpenedApp } from "../../open-app.ts";
import type { SeededRandom } from "../rig/seeded-random.ts";
import { type DrawContext, drawRequest, type FuzzRequest, type FuzzRoute, mutateRequest } from "./draw-request.ts";
import { type Grammar, pickFrom } from "./draw-value.ts";
import type { FuzzIdentities } from "./fuzz-identities.ts";
import type { CoverageWatch } from "./watch-coverage.ts";
import type { WordStore } from "./word-store.ts";

const atOnce = 32;
/** Coverage is read after this many answers: often enough to attribute new code to its requests. */
const groupSize = 250;
const keptOfGroup = 8;
const corpusMax = 2_000;
/** Longer bodies are broken already and slow to mutate. */
const keptBodyCharactersMax = 8_192;
const renewEvery = 250;
/** A request that is still pending after this many later answers counts as never answered; no clock is needed. */
const laterAnswersMax = 20_000;
const findingsMax = 20;
/** The public API and what pages call are a tenth of all routes but the most exposed part, so they get this share of requests. */
const exposedShare = 0.6;
/** Of the last requests: they go to documented routes that no request has reached yet, so that chance alone leaves none out. */
const catchUpShare = 0.1;
/** Added to answers for the judge: the matched route, and the URL as the route saw it. */
const routeHeader = "x-matched-route";
const urlHeader = "x-seen-url";

/** Records every route of apps opened from now on, and marks their answers with the matched route. */
export function collectRoutes(): FuzzRoute[] {
  const routes: FuzzRoute[] = [];
  subscribe("fastify.initialization", (message) => {
    const { fastify: app } = message as { fastify: FastifyInstance };
    app.addHook("onRoute", ({ method, url, schema }) => {
      const { body, querystring } = (schema ?? {}) as { body?: Grammar; querystring?: Grammar };
      // HEAD comes with GET. Routes for several methods are those that answer 405, which wrong methods reach often enough.
      const [only, ...more] = [method].flat().filter((each) => each !== "HEAD");
      if (only !== undefined && more.length === 0) routes.push({ method: only, url, ...(body && { body }), ...(querystring && { query: querystring }) });
    });
    app.addHook("onSend", (request, reply, payload, done) => {
      reply.header(routeHeader, request.routeOptions.url ?? "").header(urlHeader, encodeURIComponent(request.url));
      done(null, payload);
    });
  });
  return routes;
}

export type Finding = { problem: string; request: FuzzRequest; answer: string };
export type FuzzReport = { answered: number; findings: Finding[]; statuses: Map<number, number>; routesReached: Set<string>; corpus: number };

export type FuzzContext = {
  opened: OpenedApp;
  routes: readonly FuzzRoute[];
  /** Those that must be reached, as `METHOD /path`. */
  documented: readonly string[];
  identities: FuzzIdentities;
  words: WordStore;
  unknown: () => string;
  random: SeededRandom;
  coverage: CoverageWatch;
  judge: (request: FuzzRequest, answer: SeenAnswer) => string | undefined;
};

/** Sends one request with the headers of its identity. */
export async function sendFuzzRequest({ opened, identities }: Pick<FuzzContext, "opened" | "identities">, request: FuzzRequest): Promise<SeenAnswer> {
  const { method, identity, headers, body } = request;
  const response = await opened.app.inject({
    method: method as "GET",
    url: request.url,
    headers: { ...identities.headersOf(identity), ...headers },
    ...(body !== undefined && { payload: Buffer.from(body, "base64") }),
  });
  const { [routeHeader]: route = "", [urlHeader]: seenUrl = "", ...rest } = response.headers;
  return {
    method,
    url: decodeURIComponent(String(seenUrl)),
    route: route === "" ? undefined : String(route),
    status: response.statusCode,
    headers: rest,
    text: response.body,
  };
}

/** Identifies the kind of an answer, without its numbers and names; a new signature means a new code path. */
function signatureOf({ route, method, status, text }: SeenAnswer): string {
  const message = status >= 400 ? text.replaceAll(/\d+|"[^"]{40,}"/g, "#").slice(0, 160) : "";
  return `${method} ${route} ${status} ${message}`;
}

/** Requests worth mutating: those with a new kind of answer, and some of each group that ran new code. */
function createCorpus({ random, coverage }: Pick<FuzzContext, "random" | "coverage">) {
  const kept: FuzzRequest[] = [];
  const signatures = new Set<string>();
  let group: FuzzRequest[] = [];
  const keep = (request: FuzzRequest) => {
    if ((request.body?.length ?? 0) > keptBodyCharactersMax) return;
    if (kept.length < corpusMax) kept.push(request);
    else kept[random.between(0, corpusMax - 1)] = request;
  };
  return {
    kept,
    async note(request: FuzzRequest, answer: SeenAnswer): Promise<void> {
      const signature = signatureOf(answer);
      if (!signatures.has(signature)) {
        signatures.add(signature);
        keep(request);
      }
      group.push(request);
      if (group.length < groupSize) return;
      const full = group;
      group = [];
      if ((await coverage.take()) === 0) return;
      for (let left = keptOfGroup; left > 0; left -= 1) keep(pickFrom(random, full));
    },
  };
}

/** Sends new requests until the given number or the maximum of findings is reached. */
export async function runFuzz(context: FuzzContext, requests: number, onHalf: () => Promise<void>): Promise<FuzzReport> {
  const { opened, routes, documented, identities, words, random, judge } = context;
  const report: FuzzReport = { answered: 0, findings: [], statuses: new Map(), routesReached: new Set(), corpus: 0 };
  const corpus = createCorpus(context);
  const draw: DrawContext = { words, unknown: context.unknown };
  const exposed = routes.filter(({ method, url }) => /^\/(api|ml|c)\//.test(url) && method !== "OPTIONS");
  const pending = new Map<FuzzRequest, number>();
  const stalled = Promise.withResolvers<void>();
  let sent = 0;
  const workers = { busy: atOnce };
  /** Counts all answers, including those to the waiting worker's probes. */
  let clock = 0;

  function noteStalled(): void {
    const [oldest] = pending;
    if (!oldest || clock - oldest[1] <= laterAnswersMax) return;
    report.findings.push({ problem: "never answered", request: oldest[0], answer: "" });
    stalled.resolve();
  }

  const isUnreached = ({ method, url }: FuzzRoute) => documented.includes(`${method} ${url}`) && !report.routesReached.has(`${method} ${url}`);

  function next(): FuzzRequest {
    const unreached = sent > requests * (1 - catchUpShare) ? routes.filter(isUnreached) : [];
    if (unreached.length > 0) return drawRequest(random, pickFrom(random, unreached), draw);
    if (corpus.kept.length > 0 && random.isTrue(0.4)) return mutateRequest(random, pickFrom(random, corpus.kept), draw);
    return drawRequest(random, pickFrom(random, random.isTrue(exposedShare) ? exposed : routes), draw);
  }

  async function sendOne(request: FuzzRequest): Promise<void> {
    pending.set(request, clock);
    const answer = await sendFuzzRequest(context, request);
    pending.delete(request);
    report.answered += 1;
    clock += 1;
    report.statuses.set(answer.status, (report.statuses.get(answer.status) ?? 0) + 1);
    if (answer.route !== undefined && answer.status < 400) report.routesReached.add(`${answer.method} ${answer.route}`);
    const problem = judge(request, answer);
    if (problem !== undefined) report.findings.push({ problem, request, answer: `${answer.status} ${answer.text.slice(0, 400)}` });
    if (answer.status < 300) words.learn(answer.text);
    await corpus.note(request, answer);
    noteStalled();
  }

  async function work(): Promise<void> {
    while (sent < requests && report.findings.length < findingsMax) {
      const turn = (sent += 1);
      if (turn % renewEvery === 0) await identities.renew();
      if (turn === Math.floor(requests / 2)) await onHalf();
      await sendOne(next());
    }
    workers.busy -= 1;
    if (workers.busy < atOnce - 1) return;
    // The first worker to finish waits for the others, with time measured in answers.
    while (workers.busy > 0 && report.findings.length < findingsMax) {
      await opened.app.inject({ url: "/health/ready" });
      clock += 1;
      noteStalled();
    }
  }

  await Promise.race([Promise.all(Array.from({ length: atOnce }, work)), stalled.promise]);
  report.corpus = corpus.kept.length;
  return report;
}
