import Type, { type Static } from "typebox";
import { signalNames } from "@assay/scoring/signals.ts";
import { recommendations, trustLevels } from "@assay/scoring/trust-level.ts";
import { attestationIssues, attestations, attestedSignals, tokenLengthMax } from "./attestation.ts";

export const countMax = 2_147_483_647;
export const durationSecondsMax = 31_536_000;

/** The six signals. Fields that are not listed here are neither read nor stored. */
export const SessionData = Type.Object(
  {
    user_engagement: Type.Number({ minimum: 0, maximum: 1, description: "Engagement level, 0 to 1." }),
    session_duration: Type.Number({
      minimum: 0,
      maximum: durationSecondsMax,
      description: "Length of the session in seconds; fractions are allowed.",
    }),
    scroll_depth: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Furthest scroll position reached, 0 to 1." })),
    interaction_count: Type.Optional(
      Type.Integer({ minimum: 0, maximum: countMax, description: "Clicks and taps." }),
    ),
    page_views: Type.Optional(Type.Integer({ minimum: 0, maximum: countMax, description: "Pages viewed." })),
    return_visitor: Type.Optional(Type.Boolean({ description: "Whether the visitor has been here before." })),
  },
  { description: "Behaviour of one visitor session. Never send personal data." },
);

export type SessionData = Static<typeof SessionData>;

export const ScoringRequest = Type.Object(
  {
    session_data: Type.Partial(SessionData, {
      description: `Behaviour of one visitor session. Never send personal data. user_engagement and session_duration are required without a session_token, and with one that has expired or was used.`,
    }),
    session_token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: tokenLengthMax,
        description: "Token of an attested session, from the collector on the page: what it attests replaces what session_data says.",
      }),
    ),
  },
  {
    title: "ScoringRequest",
    // Without a token the two signals are required.
    if: { not: { required: ["session_token"] } },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
    then: { properties: { session_data: { type: "object", required: SessionData.required } } },
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

/** Documented names of a scoring request, which the personal-data guard accepts. */
export const documentedNames: ReadonlySet<string> = new Set([
  "session_data",
  "session_token",
  ...Object.keys(SessionData.properties),
]);

/** Whose scale a score is on. */
export const scoreCalibrations = ["shipped", "account"] as const;
export type ScoreCalibration = (typeof scoreCalibrations)[number];

const fraction = { minimum: 0, maximum: 1 };
const scoreRange = { minimum: 0, maximum: 100 };

const verdictFields = {
  service_score: Type.Number({ ...scoreRange, description: "Trust in the session, 0 to 100 with one decimal." }),
  trust_level: Type.Enum([...trustLevels], {
    description: "high from 70, medium from 40, otherwise low; derived from service_score as shown.",
  }),
  confidence: Type.Number({ ...fraction, description: "Probability that the level would be the same if the missing signals were seen and the model had been trained on another sample of sessions." }),
  revenue_attribution: Type.Number({ minimum: 0, description: "USD earned by this call; 0 for a test key." }),
  processing_time_ms: Type.Number({
    minimum: 0,
    description: "Time from the arrival of the request until its answer was handed to the commit that bills it.",
  }),
  session_id: Type.String({ pattern: "^sess_[0-9A-Za-z]{20,}$", description: "Identifies the session record; later ids sort after earlier ones." }),
  timestamp: Type.String({ format: "date-time", description: "When the session was scored." }),
  attribution_confidence: Type.Number({ ...fraction, description: "Older name of confidence; always equal to it." }),
  recommendation: Type.Enum([...recommendations], { description: "The verdict as a single code." }),
  model_version: Type.String({ description: "Version of the model that scored the session." }),
  calibration: Type.Enum([...scoreCalibrations], { description: "shipped: the score is on the model's own scale. account: on the account's own, made from the outcomes that it reported." }),
  attestation: Type.Enum([...attestations], { description: "server_timed: the signals in `attested` were measured under the service's own clock. asserted: all of them are the caller's word." }),
  attested: Type.Array(Type.Enum([...attestedSignals]), { description: "The signals that were attested; empty unless attestation is server_timed." }),
  attestation_issues: Type.Array(Type.Enum([...attestationIssues]), { description: "What is to be known of the session_token; empty if there is nothing, or no token. More codes may be added." }),
};

export const verdictExample = {
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
  calibration: "shipped",
  attestation: "asserted",
  attested: [],
  attestation_issues: [],
};

export const PredictReply = Type.Object(verdictFields, {
  $id: "Prediction",
  title: "Prediction",
  description: "The verdict on the session. The call is billed, and the session is stored under its session_id.",
  examples: [verdictExample],
});

export type PredictReply = Static<typeof PredictReply>;

const { confidence: _confidence, timestamp: _timestamp, ...shortFields } = verdictFields;
const { confidence: _confidenceShown, timestamp: _timestampShown, ...shortExample } = verdictExample;

/** The older, shorter shape of the verdict. */
export const ScoreReply = Type.Object(shortFields, {
  $id: "ShortPrediction",
  title: "ShortPrediction",
  description: "The verdict in its shorter shape, with attribution_confidence in place of confidence.",
  examples: [shortExample],
});

export type ScoreReply = Static<typeof ScoreReply>;

export const Thresholds = Type.Object(
  {
    high: Type.Number({ description: "Lowest score of level high." }),
    medium: Type.Number({ description: "Lowest score of level medium; below it the level is low." }),
  },
  { description: "Score thresholds of the trust levels." },
);

const Contribution = Type.Object({
  signal: Type.String({
    description: "A signal, two of them joined as `a×b`, `plausibility` for the gate, or `test_scenario` for a forced answer.",
  }),
  value: Type.Union([Type.Number(), Type.Boolean(), Type.Null()], {
    description: "The signal as it was scored; for `plausibility` how far the gate is open, 0 to 1; null for a pair.",
  }),
  points: Type.Number({ description: "Points that it adds to the score, unrounded." }),
});

const SignalPoints = Type.Object({
  signal: Type.String({ description: "One of the six signals, `plausibility` for the gate, or `test_scenario` for a forced answer." }),
  points: Type.Number({ description: "Points that the signal adds to the score, half of each of its pairs included; 0 for a signal that was not sent." }),
});

const Raise = Type.Object({
  signal: Type.Enum([...signalNames], { description: "The only signal that changes." }),
  from: Type.Union([Type.Number(), Type.Boolean()], { description: "Its value as it was scored." }),
  to: Type.Union([Type.Number(), Type.Boolean()], { description: "The nearest value, within the bounds of the request, with which the level is higher." }),
  score: Type.Number({ ...scoreRange, description: "The service_score that would result." }),
});

export const AnalysisReply = Type.Object(
  {
    ...verdictFields,
    base_value: Type.Number({ description: "Score of a session with these signals, before their values count." }),
    contributions: Type.Array(Contribution, { description: "Together with base_value they add up to unrounded_score exactly." }),
    by_signal: Type.Array(SignalPoints, {
      description: "The contributions in six lines and `plausibility`, in a fixed order: each pair's points are shared equally by its two signals. They add up like contributions.",
    }),
    would_raise: Type.Array(Raise, {
      description: "For a score below high: per signal the smallest change, of that signal alone, that lifts the level. The least change comes first, relative to the range of the signal. Signals that cannot lift it alone are left out; empty for a forced answer.",
    }),
    unrounded_score: Type.Number({ description: "service_score before rounding to one decimal." }),
    interval: Type.Array(Type.Number(), {
      minItems: 2,
      maxItems: 2,
      description: "Low and high end of the range in which the score would lie nine times in ten if the missing signals were known.",
    }),
    reasons: Type.Array(
      Type.Object({
        code: Type.String({ description: "Stable code to match on." }),
        message: Type.String({ description: "Human-readable. It may change." }),
      }),
      { description: "What moved the score most, in words." },
    ),
    thresholds: Thresholds,
  },
  {
    $id: "Analysis",
    title: "Analysis",
    description: "The verdict, and what each signal contributed to it.",
    examples: [
      {
        ...verdictExample,
        service_score: 66.4,
        trust_level: "medium",
        confidence: 0.72,
        attribution_confidence: 0.72,
        recommendation: "standard_user",
        base_value: 61.25,
        contributions: [
          { signal: "user_engagement", value: 0.75, points: 2.5 },
          { signal: "session_duration", value: 180, points: 3.75 },
          { signal: "user_engagement×session_duration", value: null, points: -1.09375 },
          { signal: "plausibility", value: 1, points: 0 },
        ],
        by_signal: [
          { signal: "user_engagement", points: 1.953125 },
          { signal: "session_duration", points: 3.203125 },
          { signal: "scroll_depth", points: 0 },
          { signal: "interaction_count", points: 0 },
          { signal: "page_views", points: 0 },
          { signal: "return_visitor", points: 0 },
          { signal: "plausibility", points: 0 },
        ],
        would_raise: [{ signal: "session_duration", from: 180, to: 263.5, score: 70 }],
        unrounded_score: 66.40625,
        interval: [48.2, 81.9],
        reasons: [{ code: "session_duration_raises_score", message: "3 minutes is usual for engaged visitors: +3.2" }],
        thresholds: { high: 70, medium: 40 },
      },
    ],
  },
);

export type AnalysisReply = Static<typeof AnalysisReply>;

export const testScenarios = ["low", "medium", "high", "rate_limited", "server_error", "no_fill", "payment_required", "session_token_used", "held"] as const;
export type TestScenario = (typeof testScenarios)[number];
