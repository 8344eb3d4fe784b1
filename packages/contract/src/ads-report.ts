/** What a developer's ads did, by group; and the conversions that advertisers report. */
import Type, { type Static } from "typebox";

export const reportGroups = ["placement", "format", "category", "day"] as const;
export type ReportGroup = (typeof reportGroups)[number];

/** Groups that no request names. Categories have no parentheses. */
export const groupNames = { none: "(none)", other: "(other)", unknown: "(unknown)" } as const;

export const GroupedReportQuery = Type.Object({
  group_by: Type.Enum([...reportGroups], { description: "What the rows tell apart." }),
  from: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601 date or time, UTC unless it has an offset. Default: 30 days before `to`." })),
  to: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601 date or time, exclusive. Default: now." })),
});

const byReason = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

const figures = {
  requests: Type.Integer({ minimum: 0, description: "Ads asked for with a live key: `filled`, and all that is `unfilled`." }),
  filled: Type.Integer({ minimum: 0, description: "Requests that got an ad, house ads among them." }),
  unfilled: byReason("Requests without an ad, by the reason that `Assay-No-Fill` gave."),
  impressions: Type.Integer({ minimum: 0, description: "Ads that were reported as seen." }),
  clicks: Type.Integer({ description: "Valid clicks, reversed ones taken off." }),
  ignored_clicks: byReason("Clicks that did not pay, by reason."),
  revenue_usd: Type.Number({ description: "What the valid clicks pay the account, exact to the micro-dollar, as in its ledger." }),
  conversions: Type.Integer({ minimum: 0, description: "Clicks that advertisers reported as converted. It is their word: nothing is paid or held because of it." }),
};

export const GroupedReportReply = Type.Object(
  {
    from: Type.String({ format: "date-time", description: "Start of the span, at midnight UTC." }),
    to: Type.String({ format: "date-time", description: "End of the span, exclusive." }),
    group_by: Type.Enum([...reportGroups], { description: "As requested." }),
    rows: Type.Array(
      Type.Object({
        group: Type.String({
          description:
            "A placement, a format, a category, or a day as YYYY-MM-DD. For categories also `(none)`: the request named none, and `(other)`: beyond the names that are told apart. " +
            "`(unknown)`: counted before the service told these groups apart.",
        }),
        ...figures,
      }),
      { description: "One item per group that had something to count; days in order, other groups by revenue, at most 100." },
    ),
    totals: Type.Object(figures, { description: "The sums of all rows." }),
  },
  {
    $id: "AdsReport",
    title: "AdsReport",
    description: "The account's ads in a span of whole UTC days, by group.",
    examples: [
      {
        from: "2026-01-01T00:00:00.000Z",
        to: "2026-01-31T00:00:00.000Z",
        group_by: "placement",
        rows: [
          { group: "feed", requests: 1_200, filled: 1_100, unfilled: { budget_used_up: 100 }, impressions: 900, clicks: 12, ignored_clicks: { duplicate: 3 }, revenue_usd: 0.9792, conversions: 2 },
          { group: "sidebar", requests: 300, filled: 280, unfilled: { no_campaign: 20 }, impressions: 250, clicks: 1, ignored_clicks: {}, revenue_usd: 0.0816, conversions: 0 },
        ],
        totals: { requests: 1_500, filled: 1_380, unfilled: { budget_used_up: 100, no_campaign: 20 }, impressions: 1_150, clicks: 13, ignored_clicks: { duplicate: 3 }, revenue_usd: 1.0608, conversions: 2 },
      },
    ],
  },
);

export type GroupedReportReply = Static<typeof GroupedReportReply>;

/** How long after its click an ad can be reported as converted. */
export const conversionDaysMax = 30;

export const ConversionParams = Type.Object({ campaign_id: Type.String({ maxLength: 100, description: "The campaign's id, `camp_…`." }) });

export const ConversionRequest = Type.Object(
  { ad_id: Type.String({ pattern: "^ad_[0-9A-Za-z]{1,60}$", description: "The ad that was clicked. The landing page gets it where its address says `{ad_id}`." }) },
  { title: "ConversionRequest", examples: [{ ad_id: "ad_0W4kTqZb00A8fLq2mXc3Rt" }] },
);

export const ConversionReply = Type.Object(
  {
    ad_id: Type.String({ description: "The ad." }),
    campaign_id: Type.String({ description: "The campaign that paid for its click." }),
    converted_at: Type.String({ format: "date-time", description: "When it was first reported." }),
  },
  {
    $id: "Conversion",
    title: "Conversion",
    description: "The conversion, counted once: a repeat gets the same answer.",
    examples: [{ ad_id: "ad_0W4kTqZb00A8fLq2mXc3Rt", campaign_id: "camp_0W4kTqZb00A8fLq2mXc3Rt", converted_at: "2026-01-15T11:30:00.000Z" }],
  },
);
