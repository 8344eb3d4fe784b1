/** The transaction that counts a batch of impressions and pays the clicks that were ahead of them. */
import { lockChains } from "../../money/ledger/append-entries.ts";
import type { TransactionWork } from "../../store/store.ts";
import { noteImpressions } from "../serving/offers.table.ts";
import { createHourSums } from "./hour-sums.ts";
import { lockStates, readFacts, sortedIds } from "./read-offers.ts";
import { settleAwaitingClicks } from "./settle-awaiting.ts";

export type Impression = { offerId: string; atMs: number };
export type ImpressionOutcome = "counted" | "not_counted";

export const work: TransactionWork<{ impressions: Impression[] }, ImpressionOutcome[]> = async (tx, { impressions }) => {
  const facts = await readFacts(tx, sortedIds(impressions.map(({ offerId }) => offerId)));
  // A click that starts to wait after this read is left to the sweep: its account's chain is not locked here.
  const awaited = [...facts.values()].filter((offer) => offer.verdict === "awaiting_impression");
  const heads = await lockChains(tx, awaited.map((offer) => offer.account_id));
  const states = await lockStates(tx, [...facts.keys()].toSorted());

  const sums = createHourSums();
  const seen: Impression[] = [];
  const outcomes = impressions.map(({ offerId, atMs }): ImpressionOutcome => {
    const offer = facts.get(offerId);
    const state = states.get(offerId);
    if (!offer || !state || state.impressed_at !== null || atMs >= offer.expires_at) return "not_counted";
    state.impressed_at = atMs;
    seen.push({ offerId, atMs });
    if (offer.mode === "live") sums.addImpression(offer, atMs);
    return "counted";
  });
  for (const [impressedMs, group] of Map.groupBy(seen, ({ atMs }) => atMs)) {
    await tx.change(noteImpressions(tx.db, { offerIds: group.map(({ offerId }) => offerId), impressedMs }));
  }
  const awaiting = awaited.flatMap((offer) => {
    const state = states.get(offer.id);
    return state?.verdict === "awaiting_impression" && state.impressed_at !== null ? [{ offer, state }] : [];
  });
  await settleAwaitingClicks(tx, { heads, awaiting, sums });
  await sums.write(tx);
  return outcomes;
};
