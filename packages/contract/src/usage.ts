import Type, { type Static } from "typebox";

const amounts = {
  calls: Type.Integer({ minimum: 0 }),
  gross_usd: Type.Number({ description: "0.05 for each call." }),
  developer_usd: Type.Number({ description: "The developer's share." }),
  platform_usd: Type.Number({ description: "What remains for the platform." }),
};

export const UsageQuery = Type.Object({
  from: Type.Optional(
    Type.String({ description: "ISO 8601 date or time, UTC unless it says otherwise. Default: 30 days before `to`." }),
  ),
  to: Type.Optional(Type.String({ description: "ISO 8601 date or time, excluded. Default: now." })),
});

/** Live calls of a span of time; whole hours. */
export const UsageReply = Type.Object(
  {
    from: Type.String({ format: "date-time" }),
    to: Type.String({ format: "date-time" }),
    granularity: Type.Enum(["hour", "day"], { description: "Hours up to two days, days beyond." }),
    ...amounts,
    endpoints: Type.Array(Type.Object({ endpoint: Type.String(), ...amounts })),
    series: Type.Array(Type.Object({ start: Type.String({ format: "date-time" }), ...amounts }), {
      description: "One item for each hour or day that had calls.",
    }),
  },
  {
    $id: "Usage",
    title: "Usage",
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

export const StatementReply = Type.Object(
  {
    month: Type.String({ pattern: "^\\d{4}-\\d{2}$" }),
    ...amounts,
    charged_usd: Type.Number({ description: "What the developer was charged; 0 where the platform pays for calls." }),
    balance_usd: Type.Number({ description: "The account's balance now, over all months." }),
    lines: Type.Array(
      Type.Object({
        endpoint: Type.String(),
        payer: Type.Enum(["platform", "developer"]),
        share_percent: Type.Number(),
        ...amounts,
      }),
      { description: "One line for each endpoint, payer and rate." },
    ),
  },
  {
    $id: "Statement",
    title: "Statement",
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
      },
    ],
  },
);

export type StatementReply = Static<typeof StatementReply>;
