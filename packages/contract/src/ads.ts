import Type, { type Static } from "typebox";

export const adFormats = ["banner", "native", "interstitial"] as const;
export const adPlacements = ["feed", "sidebar", "fullscreen"] as const;

/** Case-insensitive: categories are compared in lower case. */
export const categoryPattern = "^[A-Za-z0-9_-]{1,40}$";

const UserContext = Type.Object(
  {
    app_category: Type.Optional(
      Type.String({
        pattern: categoryPattern,
        description: "Category of the calling application, such as gaming. Any name that fits the pattern; case-insensitive.",
      }),
    ),
    service_score: Type.Optional(
      Type.Number({ minimum: 0, maximum: 100, description: "Score reported by the caller, unverified. It does not qualify for campaigns with a minimum trust: send session_id for that." }),
    ),
    session_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          "Id that a scoring call of this account returned, with a key of the same mode, less than 30 minutes ago: the trust is then verified. " +
          "Any other id is treated as absent. At most 20 ads per session.",
      }),
    ),
  },
  { description: "Where the ad will be shown. Never send personal data." },
);

export const AdRequest = Type.Object(
  {
    format: Type.Optional(Type.Enum([...adFormats], { description: "Default: banner." })),
    placement: Type.Optional(Type.Enum([...adPlacements], { description: "Default: feed, or fullscreen for an interstitial." })),
    user_context: Type.Optional(UserContext),
  },
  {
    title: "AdRequest",
    examples: [
      { format: "native", placement: "feed", user_context: { app_category: "gaming", session_id: "sess_0W4kTqZb00A8fLq2mXc3Rt" } },
      {},
    ],
  },
);

export type AdRequest = Static<typeof AdRequest>;

/** Documented names of an ad request, which the personal-data guard accepts. */
export const adRequestNames: readonly string[] = [...Object.keys(AdRequest.properties), ...Object.keys(UserContext.properties)];

const address = { format: "uri" };

export const AdReply = Type.Object(
  {
    ad_id: Type.String({ pattern: "^ad_[0-9A-Za-z]{20,}$", description: "Identifies the offer; the ledger entry of a paid click refers to it." }),
    creative: Type.Object(
      {
        headline: Type.String({ description: "Plain text, like all texts here: insert it into the page as text, never as markup." }),
        description: Type.String({ description: "One or two lines; may be empty." }),
        image_url: Type.String({ ...address, description: "Safe to cache forever: a different image has a different URL." }),
        cta_text: Type.String({ description: "Label of the button." }),
        click_url: Type.String({ ...address, description: "Link target of the ad. It records the click and redirects to the advertiser's page." }),
      },
      { description: "What to show." },
    ),
    impression_tracking_url: Type.String({ ...address, description: "Fetch it once, when the visitor sees the ad." }),
    estimated_revenue: Type.Number({
      minimum: 0,
      description: "Exact amount in USD that a valid click pays. 0 for house ads and for test keys.",
    }),
    image_width: Type.Integer({ minimum: 1, description: "In pixels." }),
    image_height: Type.Integer({ minimum: 1, description: "In pixels." }),
    advertiser: Type.String({ description: "The advertiser's name." }),
    house: Type.Boolean({ description: "Whether it is one of the installation's own ads, which pay nothing." }),
    expires_at: Type.String({ format: "date-time", description: "Clicks from this time on are not paid." }),
  },
  {
    $id: "Ad",
    title: "Ad",
    description: "One ad, with the URLs that record its impression and its click.",
    examples: [
      {
        ad_id: "ad_0W4kTqZb00A8fLq2mXc3Rt",
        creative: {
          headline: "Build faster",
          description: "Tools for teams of two",
          image_url: "https://assay.example.com/cdn/6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b.webp",
          cta_text: "Try it",
          click_url: "https://assay.example.com/t/c/AX0itK20MFZiMVljTmswMDA5UVViYTM3cjI3VWMBod6CUXijE31j6i-Ti7m18Pak5ndc",
        },
        impression_tracking_url: "https://assay.example.com/t/i/AX0itK20MFZiMVljTmswMDA5UVViYTM3cjI3VWkBod6CUXiufMHYuu2FHlrj5rEe8at1",
        estimated_revenue: 0.0816,
        image_width: 1200,
        image_height: 628,
        advertiser: "Acme",
        house: false,
        expires_at: "2026-01-15T11:30:00.000Z",
      },
    ],
  },
);

export type AdReply = Static<typeof AdReply>;

/** Values of the `Assay-No-Fill` header: why there is no ad. */
export const noFillReasons = [
  "no_campaign",
  "not_scheduled",
  "trust_required",
  "bid_under_floor",
  "budget_used_up",
  "offers_unclicked",
  "paced",
  "session_offer_limit",
  "test_scenario",
] as const;
export type NoFillReason = (typeof noFillReasons)[number];
