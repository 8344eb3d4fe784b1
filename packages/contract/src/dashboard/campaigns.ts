/** The operator's view of the inventory, and the reports on ads that operators and developers read. */
import Type, { type Static } from "typebox";
import { adFormats, adPlacements } from "../ads.ts";

const time = () => Type.String({ format: "date-time" });
const count = () => Type.Integer({ minimum: 0 });
const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const campaignStatuses = ["draft", "active", "paused", "ended"] as const;
export const creativeStatuses = ["pending", "approved", "rejected"] as const;
export const trustBands = ["high", "medium", "low", "unverified"] as const;
export const reportSteps = ["hour", "day"] as const;

export const IdParams = Type.Object({ id: Type.String({ maxLength: 100 }) });

export const Advertiser = Type.Object({ id: Type.String(), name: Type.String(), created_at: time() });
export const AdvertisersReply = Type.Object({ advertisers: Type.Array(Advertiser), next: Nullable(Type.String()) });

const Image = Type.Object({
  placement: Type.Enum([...adPlacements]),
  url: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
});

export const Creative = Type.Object({
  id: Type.String(),
  format: Type.Enum([...adFormats]),
  status: Type.Enum([...creativeStatuses]),
  headline: Type.String(),
  description: Type.String(),
  cta_text: Type.String(),
  landing_url: Type.String(),
  images: Type.Array(Image),
  created_at: time(),
});

const Rate = Type.Object(
  { value: Type.Number(), low: Type.Number(), high: Type.Number() },
  { description: "Valid clicks per impression, with the 95% Wilson interval of the true rate." },
);

const figures = {
  fills: Type.Integer({ minimum: 0, description: "Ads offered." }),
  impressions: count(),
  valid_clicks: count(),
  ctr: Nullable(Rate),
};

export const Campaign = Type.Object({
  id: Type.String(),
  advertiser: Type.Object({ id: Type.String(), name: Type.String() }),
  name: Type.String(),
  status: Type.Enum([...campaignStatuses]),
  house: Type.Boolean({ description: "Pays nothing and fills requests that no other campaign can." }),
  budget_usd: Type.Number(),
  daily_budget_usd: Nullable(Type.Number()),
  bid_usd: Type.Number(),
  spend_usd: Type.Number({ description: "Cost of its clicks so far, less reversals." }),
  starts: time(),
  ends: Nullable(time()),
  categories: Type.Array(Type.String(), { description: "Empty: all." }),
  placements: Type.Array(Type.Enum([...adPlacements]), { description: "Empty: all." }),
  min_trust: Type.Number(),
  pacing: Type.Enum(["even", "asap"]),
  created_at: time(),
  ...figures,
});

export const CampaignsReply = Type.Object({ campaigns: Type.Array(Campaign), next: Nullable(Type.String()) });

export const ServingReply = Type.Object({
  serving: Type.Boolean(),
  reasons: Type.Array(Type.Object({ code: Type.String(), message: Type.String({ description: "Human-readable; do not match on it." }) }), {
    description: "What prevents or limits serving. Empty if nothing does.",
  }),
});

export const CampaignReply = Type.Object({ campaign: Campaign, creatives: Type.Array(Creative), serving: ServingReply });

/** Creates a campaign. A change (PATCH) takes any of these fields except advertiser_id. */
export const CampaignRequest = Type.Object({
  advertiser_id: Type.String(),
  name: Type.String(),
  budget_usd: Type.Number(),
  bid_usd: Type.Number(),
  daily_budget_usd: Type.Optional(Nullable(Type.Number())),
  starts: Type.Optional(Nullable(Type.String())),
  ends: Type.Optional(Nullable(Type.String())),
  categories: Type.Optional(Type.Array(Type.String())),
  placements: Type.Optional(Type.Array(Type.Enum([...adPlacements]))),
  min_trust: Type.Optional(Type.Number()),
  pacing: Type.Optional(Type.Enum(["even", "asap"])),
});

export const AdvertiserRequest = Type.Object({ name: Type.String() });
export const StateRequest = Type.Object({ status: Type.Enum(["active", "paused", "ended"]) });
export const VerdictRequest = Type.Object({ status: Type.Enum(["approved", "rejected"]) });
export const SavedReply = Type.Object({ id: Type.String() });

export const PreviewReply = Type.Object({
  images: Type.Array(
    Type.Object({
      placement: Type.Enum([...adPlacements]),
      width: Type.Integer(),
      height: Type.Integer(),
      data_url: Type.String({ description: "The image itself, as it would be served." }),
    }),
  ),
});

export const AdsReportQuery = Type.Object({
  from: Type.Optional(Type.String({ maxLength: 40 })),
  to: Type.Optional(Type.String({ maxLength: 40 })),
  by: Type.Optional(Type.Enum([...reportSteps])),
});

const money = {
  spend_usd: Type.Number({ description: "What advertisers paid for these clicks, less reversals." }),
  developer_usd: Type.Number({ description: "The developer's share of it." }),
};
const Row = { ...figures, ...money };

export const AdsReportReply = Type.Object({
  from: time(),
  to: time(),
  by: Type.Enum([...reportSteps]),
  totals: Type.Object({
    requests: Nullable(Type.Integer({ minimum: 0, description: "Ads requested. Null for a campaign: a request does not belong to one." })),
    ...Row,
    ignored_clicks: Type.Record(Type.String(), Type.Integer(), { description: "By reason." }),
    no_fills: Type.Record(Type.String(), Type.Integer(), { description: "Requests without an ad, by reason." }),
  }),
  trust_bands: Type.Array(Type.Object({ trust_band: Type.Enum([...trustBands]), ...Row })),
  placements: Type.Array(Type.Object({ placement: Type.Enum([...adPlacements]), ...Row })),
  series: Type.Array(Type.Object({ start: time(), ...Row, ignored_clicks: count(), no_fills: count() }), {
    description: "One item per hour or day of the span, including those without ads.",
  }),
});

export type Campaign = Static<typeof Campaign>;
export type CampaignRequest = Static<typeof CampaignRequest>;
export type Creative = Static<typeof Creative>;
export type AdsReportReply = Static<typeof AdsReportReply>;
export type AdvertisersReply = Static<typeof AdvertisersReply>;
export type CampaignReply = Static<typeof CampaignReply>;
export type CampaignsReply = Static<typeof CampaignsReply>;
export type PreviewReply = Static<typeof PreviewReply>;
export type ServingReply = Static<typeof ServingReply>;
