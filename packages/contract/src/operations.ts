import Type, { type Static } from "typebox";

export const HealthReply = Type.Object(
  { status: Type.Enum(["ok", "unavailable"]), reason: Type.Optional(Type.String()) },
  { $id: "Health", title: "Health", examples: [{ status: "ok" }] },
);

export const UnavailableReply = Type.Object(HealthReply.properties, {
  title: "Unavailable",
  examples: [{ status: "unavailable", reason: "the store does not answer" }],
});

export const StatusReply = Type.Object(
  {
    version: Type.String(),
    model_version: Type.String(),
    uptime_seconds: Type.Integer(),
    price_usd: Type.Number({ description: "What one billable call is worth." }),
    payer: Type.Enum(["platform", "developer"]),
    payer_explained: Type.String(),
    thresholds: Type.Object({ high: Type.Number(), medium: Type.Number() }),
    tiers: Type.Array(
      Type.Object({
        name: Type.String(),
        per_hour: Type.Integer(),
        per_minute: Type.Integer(),
        per_hour_reachable: Type.Integer({
          description: "What the per-minute limit leaves of the hourly one: at most 60 times per_minute.",
        }),
        share_percent: Type.Number(),
        earns_usd_per_call: Type.Number(),
      }),
    ),
  },
  {
    $id: "Status",
    title: "Status",
    examples: [
      {
        version: "0.1.0",
        model_version: "1.0.0",
        uptime_seconds: 86_400,
        price_usd: 0.05,
        payer: "platform",
        payer_explained: "Calls are paid from the operator's funds; the developer earns a share of each.",
        thresholds: { high: 70, medium: 40 },
        tiers: [
          {
            name: "Starter",
            per_hour: 1000,
            per_minute: 50,
            per_hour_reachable: 1000,
            share_percent: 68,
            earns_usd_per_call: 0.034,
          },
        ],
      },
    ],
  },
);

export type StatusReply = Static<typeof StatusReply>;
