import Type, { type Static } from "typebox";

export const adFormats = ["banner", "native", "interstitial"] as const;
export const adPlacements = ["feed", "sidebar", "fullscreen"] as const;

/** Compared in lower case, so both cases may be sent. */
export const categoryPattern = "^[A-Za-z0-9_-]{1,40}$";

const UserContext = Type.Object(
  {
    app_category: Type.Optional(
      Type.String({
        pattern: categoryPattern,
        description: "Category of the calling application, such as gaming. Any name of this form will do; upper and lower case are the same.",
      }),
    ),
    service_score: Type.Optional(
      Type.Number({ minimum: 0, maximum: 100, description: "A score by the caller's word. It opens no campaign that asks for a minimum trust: send session_id for that." }),
    ),
    session_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          "As a scoring call of this account returned it, with a key of the same mode, less than 30 minutes ago: the trust is then verified. " +
          "Any other id counts as none. A session gets 20 ads at most.",
      }),
    ),
  },
  { description: "What is known of the place where the ad will be shown. Never personal data." },
);

export const AdRequest = Type.Object(
  {
    format: Type.Optional(Type.Enum([...adFormats], { description: "Absent: banner." })),
    placement: Type.Optional(Type.Enum([...adPlacements], { description: "Absent: feed, or fullscreen for an interstitial." })),
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

/** The names that an ad request documents: the personal-data guard lets them pass. */
export const adRequestNames: readonly string[] = [...Object.keys(AdRequest.properties), ...Object.keys(UserContext.properties)];

const address = { format: "uri" };

export const AdReply = Type.Object(
  {
    ad_id: Type.String({ pattern: "^ad_[0-9A-Za-z]{20,}$", description: "Names the offer, also in the ledger when its click is paid." }),
    creative: Type.Object(
      {
        headline: Type.String({ description: "Plain text, like all texts here: put it into the page as text, never as markup." }),
        description: Type.String({ description: "A line or two; may be empty." }),
        image_url: Type.String({ ...address, description: "May be kept for ever: another image has another address." }),
        cta_text: Type.String({ description: "For the button." }),
        click_url: Type.String({ ...address, description: "Where a click on the ad leads: it is counted, and sent on to the advertiser's page." }),
      },
      { description: "What is shown." },
    ),
    impression_tracking_url: Type.String({ ...address, description: "To be fetched once, when the ad is seen." }),
    estimated_revenue: Type.Number({
      minimum: 0,
      description: "USD that a valid click pays, exactly. 0 for house ads and for test keys.",
    }),
    image_width: Type.Integer({ minimum: 1, description: "In pixels." }),
    image_height: Type.Integer({ minimum: 1, description: "In pixels." }),
    advertiser: Type.String({ description: "Who pays for the ad." }),
    house: Type.Boolean({ description: "Whether it is one of the installation's own ads, which pay nothing." }),
    expires_at: Type.String({ format: "date-time", description: "From then on a click pays nobody." }),
  },
  {
    $id: "Ad",
    title: "Ad",
    description: "One ad, and the two addresses that count what becomes of it.",
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

/** Why there is no ad, as `Assay-No-Fill` says it. */
export const noFillReasons = [
  "no_campaign",
  "not_scheduled",
  "trust_required",
  "bid_under_floor",
  "budget_used_up",
  "paced",
  "session_offer_limit",
  "test_scenario",
] as const;
export type NoFillReason = (typeof noFillReasons)[number];
