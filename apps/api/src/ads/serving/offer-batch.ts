import { type ColumnsOf, createPacker, type Field, type PackedRows, toColumns as toFieldColumns } from "../../store/batch-columns.ts";
import type { AdFormat, Placement, TrustBand } from "../../store/schema-ads.ts";
import type { Mode } from "../../store/schema.ts";

/** An offer to be stored. It holds nothing about the visitor: the session is counted, not stored with it. */
export type NewOffer = {
  id: string;
  accountId: string;
  mode: Mode;
  campaignId: string;
  creativeId: string;
  format: AdFormat;
  placement: Placement;
  category: string;
  trustBand: TrustBand;
  priceMicroUsd: number;
  shareBps: number;
  developerMicroUsd: number;
  atMs: number;
  expiresMs: number;
  /** The verified session, whose offers are counted. */
  sessionId: string | null;
};

export type OfferOutcome = "made" | "session_offer_limit";

type OfferField = Field<NewOffer> & {
  /** Its column in the offers table, if it is stored. */
  column?: string;
};

/** What a batch consists of and the statements of both databases are derived from this list. */
export const offerFields = {
  id: { type: "text", of: (offer: NewOffer) => offer.id, column: "id" },
  accountId: { type: "text", of: (offer: NewOffer) => offer.accountId, column: "account_id" },
  mode: { type: "text", of: (offer: NewOffer) => offer.mode, column: "mode" },
  campaignId: { type: "text", of: (offer: NewOffer) => offer.campaignId, column: "campaign_id" },
  creativeId: { type: "text", of: (offer: NewOffer) => offer.creativeId, column: "creative_id" },
  format: { type: "text", of: (offer: NewOffer) => offer.format, column: "format" },
  placement: { type: "text", of: (offer: NewOffer) => offer.placement, column: "placement" },
  // Callers choose it and may send "null".
  category: { type: "text", of: (offer: NewOffer) => offer.category, column: "category", quoted: true },
  trustBand: { type: "text", of: (offer: NewOffer) => offer.trustBand, column: "trust_band" },
  priceMicroUsd: { type: "bigint", of: (offer: NewOffer) => offer.priceMicroUsd, column: "price_micro" },
  shareBps: { type: "bigint", of: (offer: NewOffer) => offer.shareBps, column: "share_bps" },
  developerMicroUsd: { type: "bigint", of: (offer: NewOffer) => offer.developerMicroUsd, column: "developer_micro" },
  atMs: { type: "bigint", of: (offer: NewOffer) => offer.atMs, column: "at" },
  expiresMs: { type: "bigint", of: (offer: NewOffer) => offer.expiresMs, column: "expires_at" },
  sessionId: { type: "text", of: (offer: NewOffer) => offer.sessionId },
} as const satisfies Record<keyof NewOffer, OfferField>;

export const storedFields = Object.entries<OfferField>(offerFields).flatMap(([name, { column }]) =>
  column === undefined ? [] : [{ name: name as keyof NewOffer, column }],
);

/** A batch for PostgreSQL. */
export type OfferColumns = ColumnsOf<typeof offerFields> & { offersPerSessionMax: number };

/** A batch for SQLite's writer thread. */
export type PackedOffers = { offers: PackedRows; offersPerSessionMax: number };

/** Indexes of refused offers in the batch; usually empty. */
export type RefusedRows = number[];

export function toColumns(offers: readonly NewOffer[], offersPerSessionMax: number): OfferColumns {
  return { ...toFieldColumns(offerFields, offers), offersPerSessionMax };
}

const pack = createPacker<NewOffer>(offerFields);

export function packOffers(offers: readonly NewOffer[], offersPerSessionMax: number): PackedOffers {
  return { offers: pack(offers), offersPerSessionMax };
}

export function toOutcomes(count: number, refused: RefusedRows): OfferOutcome[] {
  const outcomes: OfferOutcome[] = Array.from({ length: count }, () => "made");
  for (const row of refused) outcomes[row] = "session_offer_limit";
  return outcomes;
}
