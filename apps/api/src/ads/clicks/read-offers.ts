import type { Transaction } from "../../store/store.ts";
import { lockOffers, selectOffers } from "../serving/offers.table.ts";
import type { JudgedOffer } from "./click-verdict.ts";

/** An offer's immutable columns, and the current state of its account and creative. */
export type OfferFacts = Awaited<ReturnType<ReturnType<typeof selectOffers>["execute"]>>[number];
/** An offer's mutable columns, read under its lock. */
export type OfferState = Awaited<ReturnType<ReturnType<typeof lockOffers>["execute"]>>[number];

export const sortedIds = (ids: Iterable<string>): string[] => [...new Set(ids)].toSorted();

export async function readFacts(tx: Transaction, offerIds: readonly string[]): Promise<Map<string, OfferFacts>> {
  if (offerIds.length === 0) return new Map();
  const rows = await tx.run(selectOffers(tx.db, offerIds));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks the offers: after the chains, before the campaigns. */
export async function lockStates(tx: Transaction, offerIds: readonly string[]): Promise<Map<string, OfferState>> {
  if (offerIds.length === 0) return new Map();
  const rows = await tx.run(lockOffers(tx.db, offerIds));
  return new Map(rows.map((row) => [row.id, { ...row }]));
}

export const toJudged = (facts: OfferFacts, state: OfferState): JudgedOffer => ({
  mode: facts.mode,
  house: facts.house === 1,
  accountStatus: facts.account_status,
  atMs: facts.at,
  expiresMs: facts.expires_at,
  impressedMs: state.impressed_at ?? undefined,
});
