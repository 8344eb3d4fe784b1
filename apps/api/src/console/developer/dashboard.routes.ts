import { GroupedReportQuery, GroupedReportReply } from "@assay/contract/ads-report.ts";
import { AdsReportQuery, AdsReportReply } from "@assay/contract/dashboard/campaigns.ts";
import { DriftReply } from "@assay/contract/dashboard/drift.ts";
import { LogsQuery, LogsReply } from "@assay/contract/dashboard/logs.ts";
import { LiveReply, OverviewReply } from "@assay/contract/dashboard/overview.ts";
import { SessionDetailReply, SessionsQuery, SessionsReply } from "@assay/contract/dashboard/sessions.ts";
import { DashboardUsageQuery, DashboardUsageReply } from "@assay/contract/dashboard/usage.ts";
import { OutcomeReply, OutcomeRequest, SessionParams } from "@assay/contract/sessions.ts";
import type { FastifyInstance, FastifyReply } from "fastify";
import { parseGroupedSpan, reportGroups } from "../../ads/reports/report-groups.ts";
import { parseReportWindow, reportAds } from "../../ads/reports/report-ads.ts";
import { toCsv } from "../../formats/csv.ts";
import { isoTime } from "../../formats/time.ts";
import { answerReport } from "../../http/answer-report.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { addSignInHooks, refuseUnlessActive, type SignInGuard } from "../../people/require-sign-in.ts";
import { createDriftReader } from "../../scoring/drift/read-drift.ts";
import { recordOutcome } from "../../scoring/sessions/find-session.ts";
import { addCalibrationRoutes, type CalibrationContext } from "./calibration.route.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { addOwnFindingRoutes } from "./findings.route.ts";
import { addOwnWaitingRoutes } from "./waiting.route.ts";
import { addKeyRoutes } from "./keys.route.ts";
import { addLedgerLogRoutes } from "./ledger-log.route.ts";
import { findLog, listLogs } from "./list-logs.ts";
import { listSessions, readSession } from "./list-sessions.ts";
import { addModelRoutes } from "./models.route.ts";
import { addNoticeRoutes } from "./notices.route.ts";
import { sendDownload } from "./page-and-download.ts";
import { addPlaygroundRoute } from "./playground.route.ts";
import { readLive, readOverview } from "./read-overview.ts";
import { parseUsageOptions, reportRequests } from "./report-requests.ts";
import { addRevenueRoutes } from "./revenue.route.ts";
import { addWebhookRoutes, type WebhooksContext } from "../webhooks/webhooks.routes.ts";
import { addSettingsRoutes, type SettingsContext } from "./settings.route.ts";
import { addSiteRoutes, type SitesContext } from "./sites.route.ts";

/** One row per hour or day and group that had requests. */
function usageCsv(usage: DashboardUsageReply): string {
  const labels = new Map(usage.groups.map(({ name, label }) => [name, label]));
  const rows = usage.series.flatMap(({ start, groups }) =>
    groups.map(({ name, requests }) => [start, name, labels.get(name) ?? name, requests]),
  );
  return toCsv(["start", usage.group, "label", "requests"], rows);
}

function addReportRoutes(app: TypedApp, context: DeveloperContext): void {
  const { store, reports, nowMs } = context;
  const readUsage = (reply: FastifyReply, accountId: string, query: DashboardUsageQuery) => {
    const options = parseUsageOptions(query, accountId, nowMs());
    return answerReport(reply, reports, (source) => reportRequests(source, options));
  };
  app.get("/overview", {
    schema: { hide: true, response: { 200: OverviewReply } },
    handler: ({ signedIn }) => readOverview(context, signedIn.accountId),
  });
  app.get("/live", {
    schema: { hide: true, response: { 200: LiveReply } },
    handler: ({ signedIn }) => readLive(context, signedIn.accountId),
  });
  app.get("/usage", {
    schema: { hide: true, querystring: DashboardUsageQuery, response: { 200: DashboardUsageReply } },
    handler: ({ signedIn, query }, reply) => readUsage(reply, signedIn.accountId, query),
  });
  app.get("/usage.csv", {
    schema: { hide: true, querystring: DashboardUsageQuery },
    async handler({ signedIn, query }, reply) {
      const usage = await readUsage(reply, signedIn.accountId, query);
      const name = `assay-usage-by-${usage.group}-${usage.from.slice(0, 10)}-to-${usage.to.slice(0, 10)}.csv`;
      return sendDownload(reply, { name, type: "text/csv; charset=utf-8", content: usageCsv(usage) });
    },
  });
  app.get("/logs", {
    schema: { hide: true, querystring: LogsQuery, response: { 200: LogsReply } },
    handler: ({ signedIn: { accountId }, query }, reply) => {
      const { request_id: requestId } = query;
      // One line, which may have just been written.
      if (requestId !== undefined) return findLog(store, { accountId, requestId });
      return answerReport(reply, reports, ({ db }) => listLogs({ db, nowMs }, accountId, query));
    },
  });
  app.get("/ads/groups", {
    schema: { hide: true, querystring: GroupedReportQuery, response: { 200: GroupedReportReply } },
    handler: ({ signedIn: { accountId }, query }, reply) => {
      const span = { accountId, ...parseGroupedSpan(query, nowMs()) };
      return answerReport(reply, reports, (source) => reportGroups(source, span, query.group_by));
    },
  });
  app.get("/ads/report", {
    schema: { hide: true, querystring: AdsReportQuery, response: { 200: AdsReportReply } },
    handler: ({ signedIn: { accountId }, query }, reply) => {
      const window = parseReportWindow(query, nowMs());
      return answerReport(reply, reports, (source) => reportAds(source, { accountId }, window));
    },
  });
}

function addSessionRoutes(app: TypedApp, context: DeveloperContext): void {
  const { store, nowMs, retentionDays } = context;
  const readDrift = createDriftReader(store, { retentionDays });
  app.get("/drift", {
    schema: { hide: true, response: { 200: DriftReply } },
    handler: ({ signedIn }) => readDrift(signedIn.accountId, nowMs()),
  });
  app.get("/sessions", {
    schema: { hide: true, querystring: SessionsQuery, response: { 200: SessionsReply } },
    handler: ({ signedIn, query }, reply) => answerReport(reply, context.reports, ({ db }) => listSessions({ db, nowMs, retentionDays }, signedIn.accountId, query)),
  });
  app.get("/sessions/:session_id", {
    schema: { hide: true, params: SessionParams, response: { 200: SessionDetailReply } },
    handler: ({ signedIn, params }) => readSession(context, { accountId: signedIn.accountId, sessionId: params.session_id }),
  });
  app.post("/sessions/:session_id/outcome", {
    schema: { hide: true, params: SessionParams, body: OutcomeRequest, response: { 200: OutcomeReply } },
    async handler({ signedIn: { accountId }, params, body }) {
      const session = { accountId, sessionId: params.session_id, nowMs: nowMs(), retentionDays };
      const recordedAtMs = await recordOutcome(store, { ...session, outcome: body.outcome });
      return { session_id: params.session_id, outcome: body.outcome, recorded_at: isoTime(recordedAtMs) };
    },
  });
}

/** The developer's dashboard. Every route reads and changes only the signed-in account. */
export async function addDashboardRoutes(app: FastifyInstance, context: SettingsContext & WebhooksContext & SitesContext & CalibrationContext & { guard: SignInGuard }): Promise<void> {
  await app.register(
    async (scope) => {
      addSignInHooks(scope, context.guard, refuseUnlessActive);
      addReportRoutes(scope, context);
      addKeyRoutes(scope, context);
      addSiteRoutes(scope, context);
      addRevenueRoutes(scope, context);
      addLedgerLogRoutes(scope, context);
      addOwnFindingRoutes(scope, context);
      addOwnWaitingRoutes(scope, context);
      addSessionRoutes(scope, context);
      addCalibrationRoutes(scope, context);
      addPlaygroundRoute(scope, context);
      addSettingsRoutes(scope, context);
      addModelRoutes(scope, context);
      addWebhookRoutes(scope, { context, audienceOf: ({ accountId }) => accountId });
      addNoticeRoutes(scope, context);
    },
    { prefix: "/dashboard/api" },
  );
}
