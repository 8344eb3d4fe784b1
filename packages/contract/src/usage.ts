import Type, { type Static } from "typebox";

const amounts = {
  calls: Type.Integer({ minimum: 0, description: "Calls that were billed." }),
  gross_usd: Type.Number({ description: "0.05 for each call." }),
  developer_usd: Type.Number({ description: "The developer's share." }),
  platform_usd: Type.Number({ description: "What remains for the platform." }),
};

const endpoint = Type.String({ description: "What was called, such as predict." });

export const UsageQuery = Type.Object({
  from: Type.Optional(
    Type.String({ description: "ISO 8601 date or time, UTC unless it says otherwise. Default: 30 days before `to`." }),
  ),
  to: Type.Optional(Type.String({ description: "ISO 8601 date or time, excluded. Default: now." })),
});

/** Live calls of a span of time; whole hours. */
export const UsageReply = Type.Object(
  {
    from: Type.String({ format: "date-time", description: "Where the span begins: the start of an hour." }),
    to: Type.String({ format: "date-time", description: "Where it ends, excluded." }),
    granularity: Type.Enum(["hour", "day"], { description: "Hours up to two days, days beyond." }),
    ...amounts,
    endpoints: Type.Array(Type.Object({ endpoint, ...amounts }), { description: "One item for each endpoint that was called." }),
    series: Type.Array(Type.Object({ start: Type.String({ format: "date-time", description: "When the hour or day begins." }), ...amounts }), {
      description: "One item for each hour or day that had calls.",
    }),
  },
  {
    $id: "Usage",
    title: "Usage",
    description: "The span's calls, all in all, by endpoint and over time.",
    examples: [
      {
        from: "2026-01-14T00:00:00.000Z",
        to: "2026-01-15T00:00:00.000Z",
        granularity: "hour",
        calls: 2,
        gross_usd: 0.1,
        developer_usd: 0.068,
        platform_usd: 0.032,
        endpoints: [{ endpoint: "predict", calls: 2, gross_usd: 0.1, developer_usd: 0.068, platform_usd: 0.032 }],
        series: [
          { start: "2026-01-14T09:00:00.000Z", calls: 2, gross_usd: 0.1, developer_usd: 0.068, platform_usd: 0.032 },
        ],
      },
    ],
  },
);

export type UsageReply = Static<typeof UsageReply>;

export const StatementParams = Type.Object({
  month: Type.String({ description: "A month in UTC, as YYYY-MM." }),
});

const nullableReceipt = () => Type.Union([Type.String(), Type.Null()], { description: "`<seq>.<hash>`, as calls return it; null when the month has no entry." });

export const StatementReply = Type.Object(
  {
    month: Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "In UTC." }),
    ...amounts,
    charged_usd: Type.Number({ description: "What the developer was charged; 0 where the platform pays for calls." }),
    balance_usd: Type.Number({ description: "The account's balance now, over all months." }),
    lines: Type.Array(
      Type.Object({
        endpoint,
        payer: Type.Enum(["platform", "developer"], { description: "Whose money the calls were drawn from." }),
        share_percent: Type.Number({ description: "The developer's part, as it was when the calls were made." }),
        ...amounts,
      }),
      { description: "One line for each endpoint, payer and rate." },
    ),
    ads: Type.Object(
      {
        clicks: Type.Integer({ minimum: 0, description: "Paid clicks of the month, reversed ones too." }),
        developer_usd: Type.Number({ description: "The developer's share of them, less the month's reversals." }),
        pending_usd: Type.Number({ description: "Of the month's clicks: what may still be reversed." }),
        confirmed_usd: Type.Number({ description: "Of the month's clicks: what can no longer be." }),
        reversed_usd: Type.Number({ description: "Taken back in the month." }),
      },
      { description: "What ads brought in." },
    ),
    adjustments_usd: Type.Number({ description: "Corrections by the operator; may be negative." }),
    payouts: Type.Object(
      {
        paid_usd: Type.Number({ description: "Paid out in the month." }),
        returned_usd: Type.Number({ description: "Payouts that came back in the month." }),
      },
      { description: "What left the account." },
    ),
    movements: Type.Array(
      Type.Object({
        kind: Type.Enum(["click", "funding", "adjustment", "reversal", "payout", "payout_returned"], { description: "Of the ledger entries." }),
        entries: Type.Integer({ minimum: 0, description: "How many there are." }),
        gross_usd: Type.Number({ description: "Their whole amount." }),
        developer_usd: Type.Number({ description: "The developer's part of it." }),
        platform_usd: Type.Number({ description: "The platform's part of it." }),
        balance_change_usd: Type.Number({ description: "What they did to the account's balance." }),
      }),
      { description: "Everything but calls, by kind. Opening balance, calls and these add up to the closing balance." },
    ),
    opening_balance_usd: Type.Number({ description: "When the month began." }),
    closing_balance_usd: Type.Number({ description: "When the month ended; of the current month, so far." }),
    is_final: Type.Boolean({ description: "Whether the month is over." }),
    entries: Type.Integer({ minimum: 0, description: "Ledger entries of the month." }),
    first_receipt: nullableReceipt(),
    last_receipt: nullableReceipt(),
  },
  {
    $id: "Statement",
    title: "Statement",
    description: "The month, equal to the ledger to the micro-dollar. A month without entries is one of zeros.",
    examples: [
      {
        month: "2026-01",
        calls: 10_000,
        gross_usd: 500,
        developer_usd: 340,
        platform_usd: 160,
        charged_usd: 0,
        balance_usd: 340,
        lines: [
          {
            endpoint: "predict",
            payer: "platform",
            share_percent: 68,
            calls: 10_000,
            gross_usd: 500,
            developer_usd: 340,
            platform_usd: 160,
          },
        ],
        ads: { clicks: 0, developer_usd: 0, pending_usd: 0, confirmed_usd: 0, reversed_usd: 0 },
        adjustments_usd: 0,
        payouts: { paid_usd: 0, returned_usd: 0 },
        movements: [],
        opening_balance_usd: 0,
        closing_balance_usd: 340,
        is_final: true,
        entries: 10_000,
        first_receipt: `1.${"3f".repeat(32)}`,
        last_receipt: `10000.${"a7".repeat(32)}`,
      },
    ],
  },
);

export type StatementReply = Static<typeof StatementReply>;
