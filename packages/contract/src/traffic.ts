import Type, { type Static } from "typebox";
import { signalNames } from "@assay/scoring/signals.ts";

export const TrafficRequest = Type.Object(
  {
    from: Type.Optional(
      Type.String({ description: "ISO 8601 date or time, UTC unless it has an offset. Default: 7 days before `to`." }),
    ),
    to: Type.Optional(Type.String({ description: "ISO 8601 date or time, exclusive. Default: now. At most 92 days after `from`." })),
  },
  { title: "TrafficRequest", examples: [{ from: "2026-01-08", to: "2026-01-15" }, {}] },
);

export type TrafficRequest = Static<typeof TrafficRequest>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const SignalStatistics = Type.Object(
  {
    present: Type.Integer({ minimum: 0, description: "Sessions that had the signal." }),
    mean: Type.Number({ description: "Mean over the sessions that had the signal; for return_visitor, the share of returning visitors." }),
    p50: Type.Number({ description: "Median: fractions to two decimals, everything else to three significant digits." }),
  },
  { description: "Statistics of the signal over the window." },
);

const summaryFields = {
  sessions: count("Sessions scored in the window."),
  score: Type.Object(
    {
      mean: Type.Number({ description: "Mean over all sessions." }),
      p25: Type.Number({ description: "25th percentile." }),
      p50: Type.Number({ description: "Median." }),
      p75: Type.Number({ description: "75th percentile." }),
      histogram: Type.Array(
        Type.Object({
          from: Type.Number({ description: "Lowest score of the band." }),
          to: Type.Number({ description: "Upper end, exclusive except in the last band." }),
          count: count("Sessions with a score in this band."),
        }),
        { description: "Ten bands from 0 to 100." },
      ),
    },
    { description: "Distribution of the scores." },
  ),
  levels: Type.Object(
    { high: count("Sessions with level high."), medium: count("Sessions with level medium."), low: count("Sessions with level low.") },
    { description: "Sessions by trust level." },
  ),
  signals: Type.Object(
    Object.fromEntries(signalNames.map((name) => [name, SignalStatistics])) as Record<(typeof signalNames)[number], typeof SignalStatistics>,
    { description: "Statistics per signal." },
  ),
};

const TrafficSummary = Type.Object(summaryFields, { description: "The preceding window of the same length. Zeros if there were no sessions." });
export type TrafficSummary = Static<typeof TrafficSummary>;

export const findingCodes = ["exact_duplicates", "regular_intervals", "unlike_people", "round_numbers"] as const;

const Finding = Type.Object({
  code: Type.Enum([...findingCodes], { description: "Stable code to match on." }),
  message: Type.String({ description: "Human-readable. It may change." }),
  share: Type.Number({ minimum: 0, maximum: 1, description: "Share of the examined sessions." }),
});
export type Finding = Static<typeof Finding>;

const histogram = [2, 3, 5, 8, 10, 14, 22, 30, 18, 8].map((each, band) => ({ from: band * 10, to: band * 10 + 10, count: each }));
const noHistogram = histogram.map((band) => ({ ...band, count: 0 }));
const noSignal = { present: 0, mean: 0, p50: 0 };
const noSignals = Object.fromEntries(signalNames.map((name) => [name, noSignal]));

export const TrafficReply = Type.Object(
  {
    analysis_id: Type.String({ pattern: "^an_[0-9A-Za-z]{20,}$", description: "Identifies this answer in the ledger." }),
    from: Type.String({ format: "date-time", description: "Start of the window." }),
    to: Type.String({ format: "date-time", description: "End of the window, exclusive." }),
    ...summaryFields,
    previous: TrafficSummary,
    findings: Type.Array(Finding, {
      description: "Patterns unlike honest traffic among the window's newest 20,000 sessions; none are reported for fewer than 50.",
    }),
    complete: Type.Boolean({
      description: "False when there were more sessions than one call reads: the newest are counted, and the next call continues from there.",
    }),
    revenue_attribution: Type.Number({ minimum: 0, description: "USD earned by this call; 0 for a test key." }),
    processing_time_ms: Type.Number({ minimum: 0, description: "Time from the arrival of the request until the answer was ready." }),
  },
  {
    $id: "Traffic",
    title: "Traffic",
    description: "Summary of the window. A window without sessions is a success with zeros.",
    examples: [
      {
        analysis_id: "an_0W4kTqZb00A8fLq2mXc3Rt",
        from: "2026-01-08T00:00:00.000Z",
        to: "2026-01-15T00:00:00.000Z",
        sessions: 120,
        score: { mean: 61.4, p25: 44.8, p50: 65.2, p75: 79.9, histogram },
        levels: { high: 56, medium: 46, low: 18 },
        signals: {
          ...noSignals,
          user_engagement: { present: 120, mean: 0.61, p50: 0.66 },
          session_duration: { present: 120, mean: 214.5, p50: 131 },
        },
        previous: {
          sessions: 0,
          score: { mean: 0, p25: 0, p50: 0, p75: 0, histogram: noHistogram },
          levels: { high: 0, medium: 0, low: 0 },
          signals: noSignals,
        },
        findings: [{ code: "round_numbers", message: "62% of the durations are multiples of ten seconds; a clock gives 10%.", share: 0.62 }],
        complete: true,
        revenue_attribution: 0.034,
        processing_time_ms: 12.4,
      },
    ],
  },
);

export type TrafficReply = Static<typeof TrafficReply>;
