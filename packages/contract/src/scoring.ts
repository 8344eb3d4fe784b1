import Type, { type Static } from "typebox";
import { recommendations, trustLevels } from "@assay/scoring/trust-level.ts";

const countMax = 2_147_483_647;
const durationSecondsMax = 31_536_000;

/** The six signals. Only what is listed here is read; nothing else is stored. */
export const SessionData = Type.Object(
  {
    user_engagement: Type.Number({ minimum: 0, maximum: 1, description: "Engagement level." }),
    session_duration: Type.Number({
      minimum: 0,
      maximum: durationSecondsMax,
      description: "Length of the session in seconds; fractions are fine.",
    }),
    scroll_depth: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Furthest point reached." })),
    interaction_count: Type.Optional(
      Type.Integer({ minimum: 0, maximum: countMax, description: "Clicks and taps." }),
    ),
    page_views: Type.Optional(Type.Integer({ minimum: 0, maximum: countMax, description: "Pages viewed." })),
    return_visitor: Type.Optional(Type.Boolean({ description: "Whether the visitor was here before." })),
  },
  { description: "Behaviour of one visitor session. Never personal data." },
);

export type SessionData = Static<typeof SessionData>;

export const ScoringRequest = Type.Object(
  { session_data: SessionData },
  {
    title: "ScoringRequest",
    examples: [
      {
        session_data: {
          user_engagement: 0.75,
          session_duration: 180,
          scroll_depth: 0.8,
          interaction_count: 12,
          page_views: 5,
          return_visitor: true,
        },
      },
    ],
  },
);

export type ScoringRequest = Static<typeof ScoringRequest>;

/** The names that a scoring request documents: the personal-data guard lets them pass. */
export const documentedNames: ReadonlySet<string> = new Set([
  "session_data",
  ...Object.keys(SessionData.properties),
]);

const fraction = { minimum: 0, maximum: 1 };

export const PredictReply = Type.Object(
  {
    service_score: Type.Number({ minimum: 0, maximum: 100, description: "Trust in the session, one decimal." }),
    trust_level: Type.Enum([...trustLevels], {
      description: "high from 70, medium from 40, else low; computed from service_score as shown.",
    }),
    confidence: Type.Number({ ...fraction, description: "Confidence in the score." }),
    revenue_attribution: Type.Number({ minimum: 0, description: "USD that this call earned; 0 for a test key." }),
    processing_time_ms: Type.Number({
      minimum: 0,
      description: "From the arrival of the request until its answer was handed to the commit that bills it.",
    }),
    session_id: Type.String({ pattern: "^sess_[0-9A-Za-z]{20,}$" }),
    timestamp: Type.String({ format: "date-time" }),
    attribution_confidence: Type.Number({ ...fraction, description: "Older name of confidence; always equal." }),
    recommendation: Type.Enum([...recommendations]),
    model_version: Type.String(),
  },
  {
    $id: "Prediction",
    title: "Prediction",
    examples: [
      {
        service_score: 78.4,
        trust_level: "high",
        confidence: 0.91,
        revenue_attribution: 0.034,
        processing_time_ms: 0.412,
        session_id: "sess_0W4kTqZb00A8fLq2mXc3Rt",
        timestamp: "2026-01-15T09:30:00.000Z",
        attribution_confidence: 0.91,
        recommendation: "high_value_user",
        model_version: "1.0.0",
      },
    ],
  },
);

export type PredictReply = Static<typeof PredictReply>;

export const testScenarios = ["low", "medium", "high", "rate_limited", "server_error", "no_fill"] as const;
export type TestScenario = (typeof testScenarios)[number];
