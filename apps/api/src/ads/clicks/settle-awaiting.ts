import type { LockedHeads } from "../../money/ledger/append-entries.ts";
import type { StoredVerdict } from "../../store/schema-ads.ts";
import type { Transaction } from "../../store/store.ts";
import { settleAwaiting } from "../serving/offers.table.ts";
import { isImpressionInTime } from "./click-verdict.ts";
import type { HourSums } from "./hour-sums.ts";
import { type PayableClick, payClicks } from "./pay-clicks.ts";
import type { OfferFacts, OfferState } from "./read-offers.ts";

/** `awaiting`: offers whose click awaits its impression; they and their accounts' chains are locked. */
type LockedClicks = { heads: LockedHeads; awaiting: readonly { offer: OfferFacts; state: OfferState }[]; sums: HourSums };

/** Pays the clicks whose impression came in time, and ignores the others as `no_impression`. */
export async function settleAwaitingClicks(tx: Transaction, { heads, awaiting, sums }: LockedClicks): Promise<void> {
  const clicks = awaiting.map(({ offer, state }) => ({ offer, atMs: state.clicked_at!, impressedMs: state.impressed_at }));
  const inTime = clicks.filter(({ atMs, impressedMs }) => isImpressionInTime(atMs, impressedMs));
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
