import { appendEntries, lockChains } from "../../money/ledger/append-entries.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { giveBackToCampaign, giveBackToDay } from "../campaigns/budgets.table.ts";
import { takeFromHour, unlearnClick } from "../reports/ad-hours.table.ts";
import { selectCategoryOfOffer } from "../serving/offers.table.ts";
import { lockClicks, markReversed, selectAccountsOfClicks } from "./clicks.table.ts";

export type ReversalOrder = { offerIds: string[]; reason: string; actorAccountId: string | null; nowMs: number };
export type ReversalOutcome = { offerId: string; outcome: "reversed" | "already_confirmed" | "already_reversed" | "unknown" };

const outcomeOfStatus = { pending: "reversed", confirmed: "already_confirmed", reversed: "already_reversed" } as const;

/** Lock order: chains, clicks, campaigns, hours. */
export const work: TransactionWork<ReversalOrder, ReversalOutcome[]> = async (tx, order) => {
  const offerIds = [...new Set(order.offerIds)].toSorted();
  const owners = await tx.run(selectAccountsOfClicks(tx.db, offerIds));
  const heads = await lockChains(tx, owners.map((each) => each.account_id));
  const clicks = owners.length === 0 ? [] : await tx.run(lockClicks(tx.db, offerIds));
  const reversible = clicks.filter((click) => click.status === "pending");
  const entries = await appendEntries(
    tx,
    heads,
    reversible.map((click) => ({
      accountId: click.account_id,
      atMs: order.nowMs,
      kind: "reversal" as const,
      ref: click.offer_id,
      endpoint: "click",
      payer: "advertiser" as const,
      shareBps: click.share_bps,
      grossMicroUsd: -click.price_micro,
      developerMicroUsd: -click.developer_micro,
    })),
  );
  for (const [index, click] of reversible.entries()) {
    const { seq } = entries[index]!;
    const detail = { reason: order.reason, price_micro: click.price_micro };
    const note = { actorAccountId: order.actorAccountId, action: "click.reverse", subject: click.offer_id, detail, nowMs: order.nowMs };
    await tx.change(noteAction(tx.db, note));
    await tx.change(markReversed(tx.db, { offerId: click.offer_id, reversalSeq: seq, reason: order.reason, nowMs: order.nowMs }));
  }
  for (const click of reversible.toSorted((a, b) => (a.campaign_id < b.campaign_id ? -1 : 1))) {
    const refund = { campaignId: click.campaign_id, microUsd: click.price_micro };
    await tx.change(giveBackToCampaign(tx.db, refund));
    await tx.change(giveBackToDay(tx.db, { ...refund, atMs: click.at }));
  }
  for (const click of reversible) {
    await tx.change(takeFromHour(tx.db, click));
    const [offer] = await tx.run(selectCategoryOfOffer(tx.db, click.offer_id));
    if (offer) await tx.change(unlearnClick(tx.db, { creativeId: click.creative_id, placement: click.placement, category: offer.category }));
  }
  const statusOf = new Map(clicks.map((click) => [click.offer_id, click.status]));
  return offerIds.map((offerId) => {
    const status = statusOf.get(offerId);
    return { offerId, outcome: status === undefined ? "unknown" : outcomeOfStatus[status] };
  });
};
