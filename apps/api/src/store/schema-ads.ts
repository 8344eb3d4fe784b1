/** The tables of inventory, offers and clicks, with the conventions of schema.ts. */
import type { Generated } from "kysely";

export type AdFormat = "banner" | "native" | "interstitial";
export type Placement = "feed" | "sidebar" | "fullscreen";
export type CampaignStatus = "draft" | "active" | "paused" | "ended";
export type CreativeStatus = "pending" | "approved" | "rejected";
export type Pacing = "even" | "asap";
export type ClickStatus = "pending" | "confirmed" | "reversed";
/** Why a click was not paid. */
export type IgnoreReason =
  | "duplicate"
  | "expired"
  | "no_impression"
  | "too_fast"
  | "prefetch"
  | "automated_agent"
  | "not_a_navigation"
  | "campaign_ended"
  | "budget_exhausted"
  | "test_key"
  | "house_ad"
  | "account_inactive";

export type AdvertiserRow = { id: string; name: string; created_at: number };

export type CampaignRow = {
  id: string;
  advertiser_id: string;
  name: string;
  status: CampaignStatus;
  /** House campaigns pay nothing and fill requests that no other campaign may fill. */
  house: number;
  budget_micro: number;
  daily_budget_micro: number | null;
  bid_micro: number;
  starts_at: number;
  ends_at: number | null;
  /** JSON arrays; an empty one means all. */
  categories: string;
  placements: string;
  min_trust: number;
  pacing: Pacing;
  /** The sum of this campaign's clicks in the ledger, net of reversals. A CHECK keeps it within the budget. */
  spent_micro: number;
  created_at: number;
  changed_at: number;
};

/** What a campaign asks of a session's attestation; null: nothing. */
export type MinAttestation = "server_timed" | null;

/** `active_since`: when the campaign last became active; null if never. */
export type CampaignTable = CampaignRow & { active_since: Generated<number | null>; min_attestation: Generated<MinAttestation> };

/** `day` is the first millisecond of a UTC day. */
export type CampaignDayRow = { campaign_id: string; day: number; spent_micro: number };

export type CreativeRow = {
  id: string;
  campaign_id: string;
  format: AdFormat;
  status: CreativeStatus;
  headline: string;
  description: string;
  cta_text: string;
  landing_url: string;
  created_at: number;
};

/** Every node serves images from the database; `hash` is the SHA-256 of the bytes, in hex. */
export type ImageRow = {
  hash: string;
  content_type: string;
  width: number;
  height: number;
  bytes: Uint8Array;
  created_at: number;
};

/** The image a creative shows in a placement. */
export type CreativeImageRow = { creative_id: string; placement: Placement; image_hash: string; width: number; height: number };

/** A retired key still verifies what it signed before. */
export type TrackingKeyRow = {
  id: string;
  /** The secret was derived from this and the SECRET_KEY of then, as version 0.1 does it. */
  salt: string;
  /** The secret, encrypted. Null in rows of version 0.1 until a job has sealed it. */
  sealed: string | null;
  created_at: number;
  retired_at: number | null;
};

export type OfferRow = {
  id: string;
  account_id: string;
  mode: "live" | "test";
  campaign_id: string;
  creative_id: string;
  format: AdFormat;
  placement: Placement;
  /** Empty when the request named none. */
  category: string;
  trust_band: TrustBand;
  price_micro: number;
  share_bps: number;
  developer_micro: number;
  at: number;
  expires_at: number;
  impressed_at: number | null;
  clicked_at: number | null;
  /** The outcome of the first click; null until there is one. `awaiting_impression` becomes another within 2 s. */
  verdict: "paid" | "awaiting_impression" | IgnoreReason | null;
};

/** `unverified` if the request named no known session. */
export type TrustBand = "high" | "medium" | "low" | "unverified";

/** A paid click: its ledger entry and its settlement. Never deleted. */
export type ClickRow = {
  offer_id: string;
  account_id: string;
  campaign_id: string;
  creative_id: string;
  placement: Placement;
  trust_band: TrustBand;
  at: number;
  price_micro: number;
  developer_micro: number;
  share_bps: number;
  ledger_seq: number;
  status: ClickStatus;
  /** Confirmed or reversed at; null while pending. */
  settled_at: number | null;
  reversal_seq: number | null;
  reason: string | null;
};

/**
 * `category`: null for clicks that a version before migration 0018 recorded. No daily sum of a category has them.
 * `network_order`: 1 for the account's first click of the day from its network, and so on; nothing says which network.
 * `described`: whether the browser said what the request was for. Both are null for clicks before migration 0022.
 * `waiting_id`: what it is part of, if it waits.
 */
export type ClickTable = ClickRow & {
  category: Generated<string | null>;
  network_order: Generated<number | null>;
  described: Generated<number | null>;
  waiting_id: Generated<string | null>;
};

/**
 * The expected spend of a node's live offers by campaign, as JSON. Other nodes, and this node after a restart, count it
 * until these offers have expired.
 */
export type LiveOfferSumsRow = { node_id: string; at: number; sums: string };

/** Live traffic only. `campaign_id` and `creative_id` are those of the offer. */
export type AdHourRow = {
  account_id: string;
  hour: number;
  campaign_id: string;
  creative_id: string;
  placement: Placement;
  trust_band: TrustBand;
  offers: number;
  impressions: number;
  valid_clicks: number;
  spend_micro: number;
  developer_micro: number;
};

export type IgnoredClickHourRow = { account_id: string; hour: number; campaign_id: string; reason: IgnoreReason; clicks: number };
export type NoFillHourRow = { account_id: string; hour: number; reason: string; requests: number };

/** Live traffic only. `ad_hours` has everything but the category. */
export type AdCategoryDayRow = { account_id: string; day: number; category: string; offers: number; impressions: number; valid_clicks: number; developer_micro: number };

/** What reports tell apart. `day` is the first millisecond of a UTC day. */
export type AdGroup = { account_id: string; day: number; format: AdFormat; placement: Placement; category: string };
export type IgnoredClickDayRow = AdGroup & { reason: IgnoreReason; clicks: number };
export type NoFillDayRow = AdGroup & { reason: string; requests: number };

/** What an advertiser reports conversions with: the SHA-256 of it, in hex. */
export type CampaignTokenRow = { campaign_id: string; token_hash: string; created_at: number };

/** An advertiser's word about a paid click. Nothing is paid or held because of it. */
export type ConversionRow = { offer_id: string; at: number };
export type ConversionDayRow = AdGroup & { campaign_id: string; conversions: number };

/** Valid impressions and clicks that the auction learns from. Never deleted. */
export type ClickRateRow = {
  creative_id: string;
  placement: Placement;
  category: string;
  impressions: number;
  clicks: number;
};

/** Who changed what. The database refuses to change or delete it. `detail` is JSON without personal data. */
export type AuditLogRow = {
  id: string;
  at: number;
  /** Null for a CLI command. */
  actor_account_id: string | null;
  action: string;
  subject: string;
  detail: string;
  /** The account concerned, if it is one account. */
  account_id: string | null;
  /** Null until the row is part of the chain: see audit-chain.ts. */
  seq: number | null;
  prev_hash: string | null;
  hash: string | null;
};

/** The end of the audit log's chain. It is the last row that any transaction locks. */
export type AuditHeadRow = { id: number; seq: number; hash: string };

/** Something about an account that an operator should review; while it is open, pending revenue is held. */
/** What the offer's row says from then on. */
export type StoredVerdict = NonNullable<OfferRow["verdict"]>;
