import Type, { type Static } from "typebox";
import { PredictReply, SessionData, verdictExample } from "./scoring.ts";

export const outcomes = ["converted", "genuine", "refunded", "fraud", "bot"] as const;
export type Outcome = (typeof outcomes)[number];

/** Outcomes of sessions that deserved trust; sessions with any other outcome did not. */
export const goodOutcomes: ReadonlySet<Outcome> = new Set(["converted", "genuine"]);

export const SessionParams = Type.Object({
  session_id: Type.String({ description: "Id that a scoring call returned." }),
});

const outcomeExplained = "converted and genuine mean that the session deserved trust; refunded, fraud and bot mean that it did not.";

export const SessionReply = Type.Object(
  {
    ...PredictReply.properties,
    signals: Type.Partial(SessionData, { description: "The signals that were scored: attested ones where the session was attested, otherwise as they were sent." }),
    endpoint: Type.Enum(["predict", "score", "analyze"], { description: "The endpoint that scored the session." }),
    outcome: Type.Union([Type.Enum([...outcomes]), Type.Null()], { description: "The last reported outcome; null if there is none." }),
    mode: Type.Enum(["live", "test"], { description: "Mode of the key that was used." }),
    settlement: Type.Union([Type.Enum(["pending", "confirmed", "reversed"]), Type.Null()], {
      description: "Whether what the call earned may still be reversed, is confirmed, or was reversed; null in test mode.",
    }),
  },
  {
    $id: "Session",
    title: "Session",
    description: "The session as it was scored, with the outcome reported since.",
    examples: [
      {
        ...verdictExample,
        signals: { user_engagement: 0.75, session_duration: 180, page_views: 5 },
        endpoint: "predict",
        outcome: "converted",
        mode: "live",
        settlement: "pending",
      },
    ],
  },
);

export type SessionReply = Static<typeof SessionReply>;

export const OutcomeRequest = Type.Object(
  { outcome: Type.Enum([...outcomes], { description: outcomeExplained }) },
  { title: "OutcomeRequest", examples: [{ outcome: "converted" }] },
);

export type OutcomeRequest = Static<typeof OutcomeRequest>;

export const OutcomeReply = Type.Object(
  {
    session_id: Type.String({ description: "The session that the outcome belongs to." }),
    outcome: Type.Enum([...outcomes], { description: "The reported outcome; it replaces an earlier one." }),
    recorded_at: Type.String({ format: "date-time", description: "When it was recorded." }),
  },
  {
    $id: "Outcome",
    title: "Outcome",
    description: "The outcome was recorded.",
    examples: [{ session_id: "sess_0W4kTqZb00A8fLq2mXc3Rt", outcome: "converted", recorded_at: "2026-01-16T08:00:00.000Z" }],
  },
);

export type OutcomeReply = Static<typeof OutcomeReply>;

const nullable = (options: { minimum?: number; maximum?: number }, description: string) => Type.Union([Type.Number(options), Type.Null()], { description });
const share = { minimum: 0, maximum: 1 };

const CalibrationBand = Type.Object({
  from: Type.Number({ description: "Lowest score of the band." }),
  to: Type.Number({ description: "Upper end, exclusive except in the last band." }),
  count: Type.Integer({ minimum: 0, description: "Sessions with an outcome and a score in this band." }),
  mean_score: nullable({}, "Mean score of these sessions; null if there are none."),
  observed: nullable(share, "Share of good outcomes as reported; null if there are none."),
  balanced: nullable(share, "The same at a prior of one half, which is what a score means: as if as many good as bad outcomes were reported. Null unless both kinds are."),
  interval: Type.Union([Type.Array(Type.Number(share), { minItems: 2, maxItems: 2 }), Type.Null()], {
    description: "95% confidence interval of the true share (Wilson).",
  }),
});

const Recalibration = Type.Object(
  {
    slope: Type.Number({ minimum: 0, description: "Below 1: scores are more spread out than outcomes." }),
    intercept: Type.Number({ description: "Below 0: scores are too high overall." }),
    points: Type.Array(
      Type.Object({ score: Type.Number({ description: "The score as it is now." }), suggested: Type.Number({ description: "The score after recalibration." }) }),
      { description: "The map at scores from 0 to 100." },
    ),
    calibration_error: Type.Number({ ...share, description: "Calibration error that would remain on these same sessions." }),
  },
  { description: "suggested = 100 × σ(slope × logit(score / 100) + intercept): a monotonic map to the share of good outcomes as reported. Shown, never applied: what can be switched on in the dashboard is fitted at a prior of one half." },
);

const exampleBands = [4, 2, 3, 6, 8, 12, 20, 25, 30, 40].map((count, band) => ({
  from: band * 10,
  to: band * 10 + 10,
  count,
  mean_score: band * 10 + 5,
  observed: 0.5,
  balanced: 0.5,
  interval: [0.2, 0.8],
}));

export const CalibrationReply = Type.Object(
  {
    mode: Type.Enum(["live", "test"], { description: "Mode of the calling key; only sessions of that mode are counted." }),
    sessions: Type.Integer({ minimum: 0, description: "Sessions with an outcome; the last outcome of each counts." }),
    good: Type.Integer({ minimum: 0, description: "converted or genuine" }),
    bad: Type.Integer({ minimum: 0, description: "refunded, fraud or bot" }),
    complete: Type.Boolean({ description: "False when there are more outcomes than one call reads: only the latest are counted." }),
    account_calibrated: Type.Integer({ minimum: 0, description: "How many of these sessions were answered on the account's own calibration. Scores are compared as they were answered." }),
    bands: Type.Array(CalibrationBand, { description: "Ten score bands: predicted against observed." }),
    calibration_error: nullable(share, "Mean distance between score and observed share over the bands; null without outcomes. It contains how far the share of good outcomes is from one half."),
    balanced_error: nullable(share, "Calibration error with good and bad outcomes weighing one half each, in at most ten bins of equal weight: how well the scores keep what they say. Null unless both kinds are reported."),
    minimum_sessions: Type.Integer({ description: "With fewer sessions, or with outcomes of one kind only, no recalibration is suggested." }),
    recalibration: Type.Union([Recalibration, Type.Null()], { description: "Null when there is too little evidence." }),
  },
  {
    $id: "Calibration",
    title: "Calibration",
    description: "Scores against outcomes, band by band. Without outcomes all counts are 0.",
    examples: [
      {
        mode: "live",
        sessions: 150,
        good: 75,
        bad: 75,
        complete: true,
        account_calibrated: 0,
        bands: exampleBands,
        calibration_error: 0.2513,
        balanced_error: 0.2504,
        minimum_sessions: 50,
        recalibration: {
          slope: 0.42,
          intercept: -0.31,
          points: [
            { score: 0, suggested: 2.9 },
            { score: 100, suggested: 94.7 },
          ],
          calibration_error: 0.0312,
        },
      },
    ],
  },
);

export type CalibrationReply = Static<typeof CalibrationReply>;
