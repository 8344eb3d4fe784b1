import Type, { type Static } from "typebox";
import { Thresholds } from "./scoring.ts";

export const HealthReply = Type.Object(
  {
    status: Type.Enum(["ok", "unavailable"], { description: "unavailable comes with a 503." }),
    reason: Type.Optional(Type.String({ description: "Why it is unavailable: starting, draining, or the store does not answer." })),
  },
  { $id: "Health", title: "Health", description: "All is well.", examples: [{ status: "ok" }] },
);

export const UnavailableReply = Type.Object(HealthReply.properties, {
  title: "Unavailable",
  description: "Not now; `reason` says why.",
  examples: [{ status: "unavailable", reason: "the store does not answer" }],
});

export const StatusReply = Type.Object(
  {
    version: Type.String({ description: "Of the service, as CHANGELOG.md has it." }),
    model_version: Type.String({ description: "Of the model that judges sessions." }),
    uptime_seconds: Type.Integer({ description: "Of the node that answers." }),
    price_usd: Type.Number({ description: "What one billable call is worth." }),
    payer: Type.Enum(["platform", "developer"], { description: "Whose money calls are drawn from." }),
    payer_explained: Type.String({ description: "The same in a sentence." }),
    thresholds: Thresholds,
    tiers: Type.Array(
      Type.Object({
        name: Type.String({ description: "As settings and statements call it." }),
        per_hour: Type.Integer({ description: "Calls in any hour." }),
        per_minute: Type.Integer({ description: "Calls in any minute." }),
        per_hour_reachable: Type.Integer({
          description: "What the per-minute limit leaves of the hourly one: at most 60 times per_minute.",
        }),
        share_percent: Type.Number({ description: "The developer's part of price_usd." }),
        earns_usd_per_call: Type.Number({ description: "The same in USD." }),
      }),
      { description: "What accounts can have: limits and shares." },
    ),
  },
  {
    $id: "Status",
    title: "Status",
    description: "What holds for every account of this installation.",
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
