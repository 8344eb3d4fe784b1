import { CalibrationReply, OutcomeReply, OutcomeRequest, SessionParams, SessionReply } from "@assay/contract/sessions.ts";
import { isoTime } from "../../formats/time.ts";
import { keyedFailures } from "../../http/describe-failures.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { Store } from "../../store/store.ts";
import { findSession, recordOutcome } from "./find-session.ts";
import { reportCalibration } from "./report-calibration.ts";

export type SessionsContext = { store: Store; nowMs: () => number; retentionDays: number };

/** Free of charge; they count against the limits like any call. */
export function addSessionRoutes(app: TypedApp, context: SessionsContext): void {
  const { store, nowMs, retentionDays } = context;
  const tags = ["Sessions"];
  const security = [{ apiKey: [] }];
  app.get("/api/sessions/:session_id", {
    config: { readsOneRow: true },
    schema: {
      operationId: "session",
      summary: "Read a scored session",
      description: `What the scoring call returned, with the signals that were sent. Kept for ${retentionDays} days.`,
      tags,
      security,
      params: SessionParams,
      response: { 200: SessionReply, ...keyedFailures({ billable: false, notFound: true }) },
    },
    handler: ({ caller, params }) =>
      findSession(store, { accountId: caller.accountId, sessionId: params.session_id, nowMs: nowMs(), retentionDays }),
  });
  app.post("/api/sessions/:session_id/outcome", {
    schema: {
      operationId: "recordOutcome",
      summary: "Report a session's outcome",
      description: "Used by the calibration report. Outcomes are appended, never changed; the last one counts.",
      tags,
      security,
      params: SessionParams,
      body: OutcomeRequest,
      response: { 200: OutcomeReply, ...keyedFailures({ billable: false, hasBody: true, notFound: true }) },
    },
    async handler({ caller, params, body }) {
      const session = { accountId: caller.accountId, sessionId: params.session_id, nowMs: nowMs(), retentionDays };
      const recordedAtMs = await recordOutcome(store, { ...session, outcome: body.outcome });
      return { session_id: params.session_id, outcome: body.outcome, recorded_at: isoTime(recordedAtMs) };
    },
  });
  app.get("/api/calibration", {
    schema: {
      operationId: "calibration",
      summary: "Calibration of the account's scores",
      description:
        "Compares the scores of the account's sessions with their reported outcomes " +
        "and suggests a map to the share of good outcomes. The suggestion is shown and never applied; docs/calibration.md " +
        "describes the calibration that an account can switch on.",
      tags,
      security,
      response: { 200: CalibrationReply, ...keyedFailures({ billable: false }) },
    },
    handler: ({ caller }) => reportCalibration(store, { accountId: caller.accountId, mode: caller.mode }),
  });
}
