import { adRequestNames } from "@assay/contract/ads.ts";
import { documentedNames } from "@assay/contract/scoring.ts";
import { currentPeople } from "@assay/scoring/current-model.ts";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { Socket } from "node:net";
import { guardCall } from "./access/guard-call.ts";
import type { Caller } from "./access/keys/caller.ts";
import { publicLogQuota, withVerifyingWindows } from "./access/keys/verifying-windows.ts";
import { addConversionRoute } from "./ads/conversions/conversions.route.ts";
import { addAdsReportRoute } from "./ads/reports/report-groups.route.ts";
import { addImageRoute } from "./ads/campaigns/images.route.ts";
import { addTrackRoutes } from "./ads/clicks/track.route.ts";
import { addRequestAdRoute } from "./ads/serving/request-ad.route.ts";
import { createBeatAnswers } from "./attestation/answer-beat.ts";
import { addAttestationRoutes } from "./attestation/attestation.routes.ts";
import { addCollectorScriptRoute } from "./attestation/collector-script.route.ts";
import { addConsoleRoutes, pagesFolder } from "./console/console.routes.ts";
import { admitTickets, createPlaygroundTickets, type PlaygroundTickets } from "./console/developer/playground-tickets.ts";
import type { Deps } from "./deps.ts";
import { createOrder } from "./http/begin-in-order.ts";
import { compileOnDemand } from "./http/compile-on-demand.ts";
import { guardPersonalData } from "./http/find-personal-data.ts";
import { queueReports } from "./http/queue-reports.ts";
import { addReference } from "./http/reference.ts";
import { refuseOtherMethods } from "./http/refuse-methods.ts";
import { createFailureReport, refuseAmbiguous, replyFailures, replyToBrokenRequest, replyToNoRequest } from "./http/reply-failures.ts";
import { type SecurityHeaders, securityHeadersOf } from "./http/security-headers.ts";
import { isPipelined, limitServer, serverLimits } from "./http/server-limits.ts";
import { shedLoad } from "./http/shed-load.ts";
import { createRequestIds } from "./ids/time-ordered-id.ts";
import { openLane } from "./lane/open-lane.ts";
import { addLedgerRoutes } from "./money/ledger/log/ledger.routes.ts";
import { addLogRoutes } from "./money/ledger/log/log.routes.ts";
import { addBalanceRoute } from "./money/payouts/balance.route.ts";
import { addUsageRoutes } from "./money/statements/usage.routes.ts";
import { addOperationsRoutes } from "./operations/operations.routes.ts";
import { limitNetworks } from "./people/limit-networks.ts";
import { lineOf } from "./people/throttle-rule.ts";
import { createSessionAnswers, type SessionAnswers } from "./scoring/answer-sessions.ts";
import { addScoringRoutes } from "./scoring/scoring.routes.ts";
import { addSessionRoutes } from "./scoring/sessions/sessions.route.ts";
import { addServiceScoreRoute } from "./scoring/traffic/servicescore.route.ts";

export type AppState = {
  /** True until house ads and the first sign-ins exist. */
  starting: boolean;
  /** While true, every response carries `Connection: close`, unless more requests of its connection wait. */
  draining: boolean;
  /** Set for a moment of the drain: new requests wait for it. */
  held: Promise<void> | undefined;
  /** So many responses carry `Connection: close`, so that their callers connect to a worker that is less busy. */
  handOver?: number;
};

/** A caller that has sent more requests would lose the answers to them. */
function takesHandOver(state: AppState, socket: Socket): boolean {
  if (!state.handOver || isPipelined(socket)) return false;
  state.handOver -= 1;
  return true;
}

const logsEveryCall = ({ config }: Deps): boolean => config.logLevel === "debug" || config.logLevel === "trace";

/** Records arrival time, request id, metrics and the request log for every request. */
function watchRequests(app: FastifyInstance, deps: Deps, { state, headers }: { state: AppState; headers: SecurityHeaders }): void {
  const logsCalls = logsEveryCall(deps);
  app.decorateRequest("arrivedMs", 0);
  app.decorateRequest("testScenario", undefined);
  app.decorateRequest("failure", undefined);
  app.addHook("onRequest", (request, reply, done) => {
    request.arrivedMs = performance.now();
    if (refuseAmbiguous(request, reply, headers)) return;
    reply.headers(headers).header("x-request-id", request.id);
    // Later requests of the connection would otherwise get no answer; the last one closes it.
    if (state.draining && !isPipelined(request.raw.socket)) reply.header("connection", "close");
    if (state.held) void state.held.then(() => done());
    else done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (!state.handOver) {
      done(null, payload);
      return;
    }
    // A turn later requests that came together with this one are known.
    setImmediate(() => {
      if (takesHandOver(state, request.raw.socket)) reply.header("connection", "close");
      done(null, payload);
    });
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    const durationMs = performance.now() - request.arrivedMs;
    deps.metrics.countCall(route, reply.statusCode, durationMs);
    // Undefined for a request that was refused before its account was known.
    const caller = request.caller as Caller | undefined;
    // Without headers nothing was answered: the connection was closed on purpose (see http/reply-failures.ts).
    if (caller && reply.raw.headersSent) {
      const { accountId, keyId } = caller;
      const { id: requestId, method, failure } = request;
      deps.requestRecorder.record({ accountId, keyId, atMs: deps.nowMs(), requestId, method, route, status: reply.statusCode, durationMs, failure });
    }
    if (logsCalls) deps.log.debug({ requestId: request.id, route, status: reply.statusCode }, "answered");
    done();
  });
}

const accountOf = ({ caller }: FastifyRequest): string => caller.accountId;

/** Routes that need an API key. */
function addKeyedRoutes(keyed: FastifyInstance, deps: Deps, { tickets, sessions }: { tickets: PlaygroundTickets; sessions: SessionAnswers }): void {
  const authenticator = admitTickets(deps.authenticator, tickets);
  const retentionDays = deps.config.sessionRetentionDays;
  keyed.addHook("onRequest", guardCall({ ...deps, authenticator }));
  keyed.addHook("preValidation", guardPersonalData(new Set([...documentedNames, ...adRequestNames])));
  // Traffic analysis is billed, and queues itself.
  queueReports(keyed, { inTurn: deps.reportInTurn, accountOf });
  addScoringRoutes(keyed, sessions);
  addServiceScoreRoute(keyed, { ...deps, retentionDays, people: currentPeople });
  addSessionRoutes(keyed, { ...deps, retentionDays });
  addUsageRoutes(keyed, deps);
  addBalanceRoute(keyed, deps);
  addRequestAdRoute(keyed, deps.ads.requestAd);
  addAdsReportRoute(keyed, deps);
}

/** Routes for those who verify the ledger. They need a key, and have windows of their own: verifying never costs a scoring call a 429. */
function addVerifyingRoutes(verifying: FastifyInstance, deps: Deps): void {
  const { ledgerLog } = deps.config;
  verifying.addHook("onRequest", guardCall({ ...deps, authenticator: withVerifyingWindows(deps.authenticator) }));
  queueReports(verifying, { inTurn: deps.reportInTurn, accountOf });
  addLedgerRoutes(verifying, { store: deps.store, hasProofs: ledgerLog !== "off" });
  if (ledgerLog === "developers") addLogRoutes(verifying, { ...deps, access: ledgerLog, readerOf: ({ caller }) => caller.accountId });
}

/** The log, for everybody. */
function addPublicLogRoutes(readers: FastifyInstance, deps: Deps): void {
  readers.addHook("onRequest", limitNetworks({ quota: publicLogQuota, nowMs: () => performance.now() }));
  addLogRoutes(readers, { ...deps, access: "public", readerOf: ({ ip }) => lineOf(ip) });
}

/** Without `lane` every request goes to its route. It makes no difference that a caller could see: see test/lane. */
export async function buildApp(deps: Deps, state: AppState, { lane = true }: { lane?: boolean } = {}): Promise<FastifyInstance> {
  const nextRequestId = createRequestIds();
  const headers = securityHeadersOf(deps.config.publicUrl);
  const app = fastify({
    // The service has its own log: Fastify would create a logger per request.
    logger: false,
    ...serverLimits,
    trustProxy: deps.config.trustProxy.length > 0 ? deps.config.trustProxy : false,
    genReqId: nextRequestId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // No coercion: a numeric string is not a number.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    schemaController: compileOnDemand,
    frameworkErrors: (error, request, reply) => replyToBrokenRequest(error, request, reply, headers),
    clientErrorHandler: (error, socket) => replyToNoRequest(error, socket, { requestId: nextRequestId(), headers }),
    forceCloseConnections: false,
    // Requests that arrive on open connections while the server closes are served: see start/drain.ts.
    return503OnClosing: false,
  });
  limitServer(app);
  app.removeContentTypeParser("text/plain");
  const refuseRemaining = refuseOtherMethods(app);
  watchRequests(app, deps, { state, headers });
  const report = createFailureReport({ log: deps.log, onFailure: deps.metrics.countFailure });
  replyFailures(app, report);
  const lags = shedLoad(app);
  await addReference(app, { version: deps.version, publicUrl: deps.config.publicUrl, operatorName: deps.config.operator.legalName });

  addOperationsRoutes(app, {
    ...deps,
    metricsToken: deps.config.metricsToken,
    isLocal: deps.config.isLocal,
    payer: deps.config.callPayer,
    payoutRules: deps.config,
    isLogPublished: deps.config.ledgerLog !== "off",
    isStarting: () => state.starting,
    isDraining: () => state.draining,
  });
  const tickets = createPlaygroundTickets();
  const sessions = createSessionAnswers(deps);
  await app.register(async (keyed) => addKeyedRoutes(keyed, deps, { tickets, sessions }));
  await app.register(async (verifying) => addVerifyingRoutes(verifying, deps));
  await app.register(async (advertisers) => addConversionRoute(advertisers, { ...deps, lineOf }));
  const { random } = Math;
  const answerBeat = createBeatAnswers(deps.attestation, { nowMs: deps.nowMs, random });
  await app.register(async (pages) => addAttestationRoutes(pages, { ...deps, answerBeat, random }));
  addCollectorScriptRoute(app, { distFolder: pagesFolder });
  if (deps.config.ledgerLog === "public") await app.register(async (readers) => addPublicLogRoutes(readers, deps));
  addTrackRoutes(app, deps.ads.track);
  addImageRoute(app, { ...deps, lineOf });
  await addConsoleRoutes(app, { ...deps, settings: deps.config, tickets, commitQueueDepth: deps.charger.depth });
  refuseRemaining();
  const inOrder = createOrder();
  const route = inOrder((request, response) => app.routing(request, response));
  // Node would answer 417 by itself, without a body or a request id. Unknown expectations are ignored.
  app.server.on("checkExpectation", route);
  // In place of Fastify's own listener, so that its server keeps all of its settings (with `serverFactory` it would lose them).
  app.server.removeAllListeners("request");
  if (lane && !logsEveryCall(deps)) {
    const isOrdinary = () => !state.starting && !state.draining && state.held === undefined && !state.handOver && !lags();
    const { limiter, keyUse, requestRecorder: recorder, authenticator, nowMs } = deps;
    const { countCall, countLaneCall } = deps.metrics;
    const tools = { limiter, keyUse, recorder, authenticator, nowMs, countCall, countLaneCall, report, nextRequestId };
    const beats = { ...deps.attestation, answerBeat, trustProxy: deps.config.trustProxy };
    app.server.on("request", openLane({ ...tools, headers, sessions, requestAd: deps.ads.requestAd, isOrdinary, beats, inOrder }, route));
  } else {
    app.server.on("request", route);
  }
  return app;
}
