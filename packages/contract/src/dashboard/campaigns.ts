/** The operator's view of the inventory, and the reports on ads that operators and developers read. */
import Type, { type Static } from "typebox";
import { adFormats, adPlacements, categoryPattern } from "../ads.ts";
import type { Attestation } from "../attestation.ts";
import { parseIsoTime } from "../iso-time.ts";
import { amountUsdMax, campaignsPerFileMax, categoriesMax, creativesPerCampaignMax, minTrustMax, textLengthMax } from "./campaign-limits.ts";

const time = () => Type.String({ format: "date-time" });
const count = () => Type.Integer({ minimum: 0 });
const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const campaignStatuses = ["draft", "active", "paused", "ended"] as const;
export const creativeStatuses = ["pending", "approved", "rejected"] as const;
export const trustBands = ["high", "medium", "low", "unverified"] as const;
/** What a campaign can ask of a session's attestation. */
export const requiredAttestations = ["server_timed"] as const satisfies readonly Attestation[];
export const pacings = ["even", "asap"] as const;
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
  { description: "Valid clicks per impression, with the Wilson interval that holds the true rate in 95 of 100 cases." },
);

const figures = {
  fills: Type.Integer({ minimum: 0, description: "Ads that were offered." }),
  impressions: count(),
  valid_clicks: count(),
  ctr: Nullable(Rate),
};

export const Campaign = Type.Object({
  id: Type.String(),
  advertiser: Type.Object({ id: Type.String(), name: Type.String() }),
  name: Type.String(),
  status: Type.Enum([...campaignStatuses]),
  house: Type.Boolean({ description: "Pays nothing and fills what no other campaign may." }),
  budget_usd: Type.Number(),
  daily_budget_usd: Nullable(Type.Number()),
  bid_usd: Type.Number(),
  spend_usd: Type.Number({ description: "What its clicks cost so far, reversals taken off." }),
  starts: time(),
  ends: Nullable(time()),
  categories: Type.Array(Type.String(), { description: "Empty: all." }),
  placements: Type.Array(Type.Enum([...adPlacements]), { description: "Empty: all." }),
  min_trust: Type.Number(),
  min_attestation: Nullable(Type.Enum([...requiredAttestations], { description: "Serves only to sessions that the service measured itself. Null: to any." })),
  pacing: Type.Enum([...pacings]),
  created_at: time(),
  ...figures,
});

export const CampaignsReply = Type.Object({ campaigns: Type.Array(Campaign), next: Nullable(Type.String()) });

export const ServingReply = Type.Object({
  serving: Type.Boolean(),
  reasons: Type.Array(Type.Object({ code: Type.String(), message: Type.String({ description: "For people; not to be matched on." }) }), {
    description: "What keeps it from serving, or holds it back. Empty when nothing does.",
  }),
});

export const CampaignReply = Type.Object({ campaign: Campaign, creatives: Type.Array(Creative), serving: ServingReply });

/*
 * What operators and import files send. A field that is not listed is refused. `description` completes the message
 * "must be …" for a wrong value; a refinement has a message of its own. Texts are checked without surrounding white
 * space, categories in lower case.
 */

const OneOf = <Value extends string>(values: readonly Value[]) => Type.Enum([...values], { description: values.join(" or ") });

const lengthOf = (text: string): number => Array.from(text.trim()).length;
/** Control characters, and those that change the writing direction: they make one text look like another. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

function Text(lengthMax: number, lengthMin = 1) {
  const present = Type.Refine(Type.String({ description: "a text" }), (text) => lengthOf(text) >= lengthMin, () => "must not be empty");
  const short = Type.Refine(present, (text) => lengthOf(text) <= lengthMax, (text) => `must have at most ${lengthMax} characters, and has ${lengthOf(text)}`);
  return Type.Refine(short, (text) => !unprintable.test(text.trim()), () => "must not hold control characters");
}

/** Visitors are redirected there: only an absolute web address without credentials will do. */
function WebAddress(lengthMax: number) {
  const parse = (text: string) => (/^https?:\/\//i.test(text.trim()) ? URL.parse(text.trim()) : null);
  const web = Type.Refine(Text(lengthMax), (text) => parse(text) !== null, () => "must be an http or https address");
  const anonymous = Type.Refine(web, (text) => !parse(text)?.username && !parse(text)?.password, () => "must not hold a name or a password");
  return Type.Refine(anonymous, (text) => (parse(text)?.href ?? "").length <= lengthMax, () => `must have at most ${lengthMax} characters when encoded`);
}

const isWholeMicroUsd = (usd: number): boolean => Math.round(usd * 1_000_000) / 1_000_000 === usd;
const Usd = Type.Refine(
  Type.Refine(Type.Number({ description: "a number, in USD" }), (usd) => usd > 0 && usd <= amountUsdMax, () => `must be more than 0 and at most ${amountUsdMax}`),
  isWholeMicroUsd,
  () => "must have at most 6 decimals",
);

const TextThat = (isValid: (text: string) => boolean, description: string) => Type.Refine(Type.String({ description }), isValid, () => `must be ${description}`);
const Time = TextThat((text) => !Number.isNaN(parseIsoTime(text)), 'a date such as "2026-01-31" or an ISO 8601 time');
const category = new RegExp(categoryPattern);
const Category = TextThat((text) => category.test(text.toLowerCase()), "1 to 40 of the characters a-z, 0-9, _ and -");

export const AdvertiserRequest = Type.Object({ name: Text(textLengthMax.advertiser) });

export const CampaignTerms = Type.Object({
  budget_usd: Usd,
  daily_budget_usd: Type.Optional(Nullable(Usd)),
  bid_usd: Usd,
  starts: Type.Optional(Nullable(Time)),
  ends: Type.Optional(Nullable(Time)),
  categories: Type.Optional(Type.Array(Category, { maxItems: categoriesMax })),
  placements: Type.Optional(Type.Array(OneOf(adPlacements), { maxItems: adPlacements.length })),
  min_trust: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: minTrustMax, description: `a number from 0 to ${minTrustMax}` }))),
  min_attestation: Type.Optional(Nullable(OneOf(requiredAttestations))),
  pacing: Type.Optional(OneOf(pacings)),
});

export const CampaignName = Type.Object({ name: Text(textLengthMax.name) });

/** A change (PATCH) takes any of these fields. */
export const CampaignFields = Type.Intersect([CampaignName, CampaignTerms]);

/** A new campaign (POST) takes these fields and its owner. */
export const CampaignOwner = Type.Object({ advertiser_id: Type.String() });
export type CampaignRequest = Static<typeof CampaignOwner> & Static<typeof CampaignFields>;

export const CreativeFields = Type.Object({
  format: OneOf(adFormats),
  headline: Text(textLengthMax.headline),
  description: Text(textLengthMax.description, 0),
  cta_text: Text(textLengthMax.cta_text),
  landing_url: WebAddress(textLengthMax.landing_url),
  /** A path below the file's own folder, in import files only. Without it a card is drawn. */
  image: Type.Optional(Nullable(Text(textLengthMax.image))),
});

/** The file of `assay campaign import`. */
export const CampaignFile = Type.Object({
  advertiser: AdvertiserRequest.properties.name,
  campaigns: Type.Array(
    Type.Intersect([CampaignName, CampaignTerms, Type.Object({ creatives: Type.Array(CreativeFields, { minItems: 1, maxItems: creativesPerCampaignMax }) })]),
    { minItems: 1, maxItems: campaignsPerFileMax },
  ),
});

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
  spend_usd: Type.Number({ description: "What advertisers paid for these clicks, reversals taken off." }),
  developer_usd: Type.Number({ description: "The developer's part of it." }),
};
const Row = { ...figures, ...money };

export const AdsReportReply = Type.Object({
  from: time(),
  to: time(),
  by: Type.Enum([...reportSteps]),
  totals: Type.Object({
    requests: Nullable(Type.Integer({ minimum: 0, description: "Ads asked for. Null for a campaign: a request is not any campaign's." })),
    ...Row,
    ignored_clicks: Type.Record(Type.String(), Type.Integer(), { description: "By reason." }),
    no_fills: Type.Record(Type.String(), Type.Integer(), { description: "Requests without an ad, by reason." }),
  }),
  trust_bands: Type.Array(Type.Object({ trust_band: Type.Enum([...trustBands]), ...Row })),
  placements: Type.Array(Type.Object({ placement: Type.Enum([...adPlacements]), ...Row })),
  series: Type.Array(Type.Object({ start: time(), ...Row, ignored_clicks: count(), no_fills: count() }), {
    description: "One item for every hour or day of the span, also for those without ads.",
  }),
});

/** What an advertiser reported about a campaign's clicks, by developer. */
export const CampaignConversionsReply = Type.Object({
  from: time(),
  to: time(),
  token_created_at: Nullable(time()),
  valid_clicks: Type.Integer(),
  conversions: count(),
  developers: Type.Array(
    Type.Object({ account_id: Type.String(), email: Nullable(Type.String({ description: "Null for an erased account." })), valid_clicks: Type.Integer(), conversions: count() }),
    { description: "The first 100 by conversions and clicks." },
  ),
});

export const CampaignTokenReply = Type.Object({ campaign_id: Type.String(), token: Type.String({ description: "Shown once: only its hash is stored." }), created_at: time() });

export type CampaignConversionsReply = Static<typeof CampaignConversionsReply>;
export type CampaignTokenReply = Static<typeof CampaignTokenReply>;
export type Campaign = Static<typeof Campaign>;
export type Creative = Static<typeof Creative>;
export type AdsReportReply = Static<typeof AdsReportReply>;
export type AdvertisersReply = Static<typeof AdvertisersReply>;
export type CampaignReply = Static<typeof CampaignReply>;
export type CampaignsReply = Static<typeof CampaignsReply>;
export type PreviewReply = Static<typeof PreviewReply>;
export type ServingReply = Static<typeof ServingReply>;
