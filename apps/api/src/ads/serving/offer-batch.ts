import type { AdFormat, Placement, TrustBand } from "../../store/schema-ads.ts";
import type { Mode } from "../../store/schema.ts";

/** An offer on its way to the store. Nothing about a person is in it: the session is counted, not kept with it. */
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
  /** The verified session that asks, whose offers are counted. */
  sessionId: string | null;
};

export type OfferOutcome = "made" | "session_offer_limit";

/** One array per field: crosses to the writer's thread, or to PostgreSQL, at a fraction of what objects cost. */
export type OfferColumns = { [Field in keyof NewOffer]: NewOffer[Field][] } & { offersPerSessionMax: number };

/** What is refused, by its place in the batch: mostly nothing. */
export type RefusedRows = number[];

export function toColumns(offers: readonly NewOffer[], offersPerSessionMax: number): OfferColumns {
  return {
    offersPerSessionMax,
    id: offers.map((each) => each.id),
    accountId: offers.map((each) => each.accountId),
    mode: offers.map((each) => each.mode),
    campaignId: offers.map((each) => each.campaignId),
    creativeId: offers.map((each) => each.creativeId),
    format: offers.map((each) => each.format),
    placement: offers.map((each) => each.placement),
    category: offers.map((each) => each.category),
    trustBand: offers.map((each) => each.trustBand),
    priceMicroUsd: offers.map((each) => each.priceMicroUsd),
    shareBps: offers.map((each) => each.shareBps),
    developerMicroUsd: offers.map((each) => each.developerMicroUsd),
    atMs: offers.map((each) => each.atMs),
    expiresMs: offers.map((each) => each.expiresMs),
    sessionId: offers.map((each) => each.sessionId),
  };
}

export function toOutcomes(count: number, refused: RefusedRows): OfferOutcome[] {
  const outcomes: OfferOutcome[] = Array.from({ length: count }, () => "made");
  for (const row of refused) outcomes[row] = "session_offer_limit";
  return outcomes;
}
