/** The transaction that counts a batch of impressions, and pays the clicks that were ahead of them. */
import { lockChains } from "../../money/ledger/append-entries.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { createHourSums } from "./hour-sums.ts";
import { lockStates, type OfferFacts, readFacts, sortedIds } from "./read-offers.ts";
import { settleAwaitingClicks } from "./settle-awaiting.ts";
import { noteImpressions } from "../serving/offers.table.ts";

export type Impression = { offerId: string; atMs: number };
export type ImpressionOutcome = "counted" | "not_counted";

async function note(tx: Transaction, seen: readonly { offer: OfferFacts; atMs: number }[]): Promise<void> {
  for (const [impressedMs, group] of Map.groupBy(seen, ({ atMs }) => atMs)) {
    await tx.change(noteImpressions(tx.db, { offerIds: group.map(({ offer }) => offer.id), impressedMs }));
  }
}

export const work: TransactionWork<{ impressions: Impression[] }, ImpressionOutcome[]> = async (tx, { impressions }) => {
  const facts = await readFacts(tx, sortedIds(impressions.map(({ offerId }) => offerId)));
  // A click that comes to wait after this line is not ours to pay: its chain is not locked. The sweep does it.
  const awaited = [...facts.values()].filter((offer) => offer.verdict === "awaiting_impression");
  const heads = await lockChains(tx, awaited.map((offer) => offer.account_id));
  const states = await lockStates(tx, [...facts.keys()].toSorted());

  const sums = createHourSums();
  const seen: { offer: OfferFacts; atMs: number }[] = [];
  const outcomes = impressions.map(({ offerId, atMs }): ImpressionOutcome => {
    const offer = facts.get(offerId);
    const state = states.get(offerId);
    if (!offer || !state || state.impressed_at !== null || atMs >= offer.expires_at) return "not_counted";
    state.impressed_at = atMs;
    seen.push({ offer, atMs });
    if (offer.mode === "live") sums.addImpression(offer, atMs);
    return "counted";
  });
  await note(tx, seen);
  const awaiting = awaited.flatMap((offer) => {
    const state = states.get(offer.id);
    return state?.verdict === "awaiting_impression" && state.impressed_at !== null ? [{ offer, state }] : [];
  });
  await settleAwaitingClicks(tx, { heads, awaiting, sums });
  await sums.write(tx);
  return outcomes;
};
