/**
 * `GET /dashboard/api/sessions`, `GET /dashboard/api/sessions/{session_id}` and
 * `POST /dashboard/api/sessions/{session_id}/outcome` (request and reply of ../sessions.ts).
 */
import Type, { type Static } from "typebox";
import { trustLevels } from "@assay/scoring/trust-level.ts";
import { AnalysisReply } from "../scoring.ts";
import { outcomes, SessionReply } from "../sessions.ts";

export const sessionsPageMax = 100;

export const SessionsQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 64, description: "next_cursor of the previous page." })),
  limit: Type.Optional(Type.String({ pattern: "^\\d{1,3}$", description: `1 to ${sessionsPageMax}. Default: 50.` })),
  level: Type.Optional(Type.Enum([...trustLevels])),
  mode: Type.Optional(Type.Enum(["live", "test"])),
  outcome: Type.Optional(Type.Enum([...outcomes, "none"], { description: "`none`: no outcome was reported yet." })),
  from: Type.Optional(Type.String({ description: "ISO 8601 date or time in UTC." })),
  to: Type.Optional(Type.String({ description: "ISO 8601 date or time in UTC, exclusive." })),
});

export type SessionsQuery = Static<typeof SessionsQuery>;

const SessionItem = Type.Object({
  session_id: SessionReply.properties.session_id,
  timestamp: SessionReply.properties.timestamp,
  mode: SessionReply.properties.mode,
  endpoint: SessionReply.properties.endpoint,
  service_score: SessionReply.properties.service_score,
  trust_level: SessionReply.properties.trust_level,
  confidence: SessionReply.properties.confidence,
  recommendation: SessionReply.properties.recommendation,
  calibration: SessionReply.properties.calibration,
  signals: SessionReply.properties.signals,
  outcome: SessionReply.properties.outcome,
  attestation: SessionReply.properties.attestation,
  attested: SessionReply.properties.attested,
  attestation_issues: SessionReply.properties.attestation_issues,
});

export type SessionItem = Static<typeof SessionItem>;

export const SessionsReply = Type.Object({
  sessions: Type.Array(SessionItem, { description: "The newest first." }),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: "Null at the end. A filtered page may be short or empty and still have a next page: one request reads a bounded number of rows.",
  }),
});

export type SessionsReply = Static<typeof SessionsReply>;

const { base_value, contributions, unrounded_score, interval, reasons, thresholds } = AnalysisReply.properties;

const Explanation = Type.Object({ base_value, contributions, unrounded_score, interval, reasons, thresholds });

export const SessionDetailReply = Type.Object({
  ...SessionReply.properties,
  explanation: Type.Union([Explanation, Type.Null()], {
    description: "As analyze returns it, recomputed from the stored signals.",
  }),
  unexplained: Type.Union([Type.Enum(["other_model", "forced_by_test"]), Type.Null()], {
    description: "Why there is no explanation: another version of the model scored the session, or a test key forced the answer.",
  }),
  calibration_version: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: "The version of the account's own calibration that the score is on; null: the shipped one.",
  }),
  receipt: Type.Union([Type.String(), Type.Null()], { description: "<seq>.<hash> of its ledger entry; null for a test session." }),
  outcomes: Type.Array(Type.Object({ outcome: Type.Enum([...outcomes]), recorded_at: Type.String({ format: "date-time" }) }), {
    description: "Reported outcomes, newest first; at most 20.",
  }),
});

export type SessionDetailReply = Static<typeof SessionDetailReply>;
