import type { LockedHeads } from "../../money/ledger/append-entries.ts";
import type { Transaction } from "../../store/store.ts";
import { isReconciled } from "./click-verdict.ts";
import type { HourSums } from "./hour-sums.ts";
import { type PayableClick, payClicks } from "./pay-clicks.ts";
import type { OfferFacts, OfferState } from "./read-offers.ts";
import { settleAwaiting } from "../serving/offers.table.ts";
import type { StoredVerdict } from "../../store/schema-ads.ts";

/** A locked offer whose click waits, with the account's chain locked too. */
export type AwaitingClick = { offer: OfferFacts; state: OfferState };

/** Pays those whose impression came in time; the others had none. */
export async function settleAwaitingClicks(
  tx: Transaction,
  held: { heads: LockedHeads; awaiting: readonly AwaitingClick[]; sums: HourSums },
): Promise<void> {
  const { heads, awaiting, sums } = held;
  const clicks = awaiting.map(({ offer, state }) => ({ offer, atMs: state.clicked_at!, impressedMs: state.impressed_at }));
  const inTime = clicks.filter(({ atMs, impressedMs }) => isReconciled(atMs, impressedMs));
  const payments = await payClicks(tx, heads, inTime.map(({ offer, atMs }): PayableClick => ({ offer, atMs })));
  const paymentOf = new Map(inTime.map(({ offer }, index) => [offer.id, payments[index]!]));
  const byVerdict = new Map<StoredVerdict, string[]>();
  for (const { offer, atMs } of clicks) {
    const verdict = paymentOf.get(offer.id) ?? "no_impression";
    byVerdict.set(verdict, [...(byVerdict.get(verdict) ?? []), offer.id]);
    if (verdict === "paid") sums.addPaidClick(offer, atMs);
    else sums.addIgnoredClick(offer, verdict, atMs);
  }
  for (const [verdict, offerIds] of byVerdict) {
    const changed = await tx.change(settleAwaiting(tx.db, { offerIds, verdict }));
    if (changed !== offerIds.length) throw new Error("a click was settled while it was locked");
  }
}
