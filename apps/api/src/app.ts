import { adRequestNames } from "@assay/contract/ads.ts";
import { documentedNames } from "@assay/contract/scoring.ts";
import { currentPeople } from "@assay/scoring/current-model.ts";
import fastify, { type FastifyInstance } from "fastify";
import { addRequestAdRoute } from "./ads/serving/request-ad.route.ts";
import { addTrackRoutes } from "./ads/clicks/track.route.ts";
import { addUsageRoutes } from "./money/statements/usage.routes.ts";
import { addImageRoute } from "./ads/campaigns/images.route.ts";
import { addConsoleRoutes, pagesFolder } from "./console/console.routes.ts";
import { admitTickets, createPlaygroundTickets, type PlaygroundTickets } from "./console/developer/playground-tickets.ts";
import type { Deps } from "./deps.ts";
import { guardCall } from "./access/guard-call.ts";
import { findAmbiguity } from "./http/find-ambiguity.ts";
import { guardPersonalData } from "./http/guard-personal-data.ts";
import { queueReports } from "./http/queue-reports.ts";
import { limitPipelining } from "./http/limit-pipelining.ts";
import { addReference } from "./http/reference.ts";
import { createRequestIds } from "./http/request-id.ts";
import { refuseOtherMethods } from "./http/refuse-methods.ts";
import { refuseAmbiguous, replyFailures, replyToBrokenRequest, replyToNoRequest } from "./http/reply-failures.ts";
import { type SecurityHeaders, securityHeadersOf } from "./http/security-headers.ts";
import { limitServer, serverLimits } from "./http/server-limits.ts";
import { shedLoad } from "./http/shed-load.ts";
import { addOperationsRoutes } from "./operations/operations.routes.ts";
import { addScoringRoutes } from "./scoring/scoring.routes.ts";
import { addSessionRoutes } from "./scoring/sessions/sessions.route.ts";
import { addServiceScoreRoute } from "./scoring/traffic/servicescore.route.ts";

/** Free reads over many rows. The analysis of traffic, which is billed, waits for its turn by itself. */
const keyedReports = new Set(["/api/usage", "/api/statements/:month", "/api/calibration"]);

export type AppState = {
  /** Until what the first calls need (house ads, the first sign-ins) is there. */
  starting: boolean;
  /** While it drains the server finishes what it has and asks every connection to close. */
  draining: boolean;
  /** While it drains: newcomers wait for this before anything is done for them. */
  held: Promise<void> | undefined;
};

/** Arrival time, request id, and a note in the metrics for every request. */
function watchRequests(app: FastifyInstance, deps: Deps, { state, headers }: { state: AppState; headers: SecurityHeaders }): void {
  const logsCalls = deps.config.logLevel === "debug" || deps.config.logLevel === "trace";
  app.decorateRequest("arrivedMs", 0);
  app.decorateRequest("testScenario", undefined);
  app.decorateRequest("failure", undefined);
  app.addHook("onRequest", (request, reply, done) => {
    request.arrivedMs = performance.now();
    const ambiguity = findAmbiguity(request);
    if (ambiguity !== undefined) {
      refuseAmbiguous(reply, ambiguity, headers);
      return;
    }
    reply.headers(headers).header("x-request-id", request.id);
    if (state.draining) reply.header("connection", "close");
    if (state.held) void state.held.then(() => done());
    else done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    deps.metrics.countCall(route, reply.statusCode, performance.now() - request.arrivedMs);
    deps.requestNotes.note(request, reply, deps.nowMs());
    if (logsCalls) deps.log.debug({ requestId: request.id, route, status: reply.statusCode }, "answered");
    done();
  });
}

/** What developers' servers call, with a key. */
function addKeyedRoutes(keyed: FastifyInstance, deps: Deps, tickets: PlaygroundTickets): void {
  const authenticator = admitTickets(deps.authenticator, tickets);
  const retentionDays = deps.config.sessionRetentionDays;
  keyed.addHook("onRequest", guardCall({ ...deps, authenticator }));
  keyed.addHook("preValidation", guardPersonalData(new Set([...documentedNames, ...adRequestNames])));
  queueReports(keyed, { inTurn: deps.reportInTurn, isReport: (url) => keyedReports.has(url), accountOf: ({ caller }) => caller.accountId });
  addScoringRoutes(keyed, deps);
  addServiceScoreRoute(keyed, { ...deps, retentionDays, people: currentPeople });
  addSessionRoutes(keyed, { ...deps, retentionDays });
  addUsageRoutes(keyed, deps);
  addRequestAdRoute(keyed, deps.ads.requestAd);
}

export async function buildApp(deps: Deps, state: AppState): Promise<FastifyInstance> {
  const nextRequestId = createRequestIds();
  const headers = securityHeadersOf(deps.config.publicUrl);
  const app = fastify({
    // The service's own log is used instead: Fastify would make a logger for each request.
    logger: false,
    ...serverLimits,
    trustProxy: deps.config.trustProxy.length > 0 ? deps.config.trustProxy : false,
    genReqId: nextRequestId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // Values are taken as they are: a string is no number.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    frameworkErrors: (error, request, reply) => replyToBrokenRequest(error, request, reply, headers),
    clientErrorHandler: (error, socket) => replyToNoRequest(error, socket, { requestId: nextRequestId(), headers }),
    forceCloseConnections: false,
    // Whatever still arrives on an open connection while the server closes is served: see drain.
    return503OnClosing: false,
  });
  limitServer(app);
  app.removeContentTypeParser("text/plain");
  limitPipelining(app);
  const refuseRemaining = refuseOtherMethods(app);
  watchRequests(app, deps, { state, headers });
  replyFailures(app, { log: deps.log, onFailure: deps.metrics.countFailure });
  shedLoad(app);
  await addReference(app, { version: deps.version, publicUrl: deps.config.publicUrl, operatorName: deps.config.operator.legalName, distFolder: pagesFolder });

  addOperationsRoutes(app, {
    ...deps,
    metricsToken: deps.config.metricsToken,
    modelVersion: deps.model.version,
    payer: deps.config.callPayer,
    isStarting: () => state.starting,
    isDraining: () => state.draining,
  });
  const tickets = createPlaygroundTickets();
  await app.register(async (keyed) => addKeyedRoutes(keyed, deps, tickets));
  addTrackRoutes(app, deps.ads.track);
  addImageRoute(app, deps);
  await addConsoleRoutes(app, { ...deps, settings: deps.config, tickets, commitQueueDepth: deps.charger.depth });
  refuseRemaining();
  return app;
}
