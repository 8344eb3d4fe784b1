import { SessionDetailReply, SessionsQuery, SessionsReply } from "@assay/contract/dashboard/sessions.ts";
import { OutcomeReply, OutcomeRequest, SessionParams } from "@assay/contract/sessions.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { recordOutcome } from "../../scoring/sessions/find-session.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { listSessions, readSession } from "./list-sessions.ts";
import { isoTime } from "../../formats/time.ts";

export function addSessionPageRoutes(app: TypedApp, context: DeveloperContext): void {
  const { store, nowMs, retentionDays } = context;
  app.get("/sessions", {
    schema: { hide: true, querystring: SessionsQuery, response: { 200: SessionsReply } },
    handler: ({ signedIn, query }) => listSessions(context, signedIn.accountId, query),
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
