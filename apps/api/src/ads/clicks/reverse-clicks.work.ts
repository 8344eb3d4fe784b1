import { usdOf } from "../../formats/money.ts";
import { appendEntries, lockChains } from "../../money/ledger/append-entries.ts";
import { noteActions } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { type NewEvent, writeEvents } from "../../webhooks/events/write-events.ts";
import { refundCampaign, refundDay } from "../campaigns/budgets.table.ts";
import { subtractFromHour, unlearnClick } from "../reports/ad-hours.table.ts";
import { selectCategoryOfOffer } from "../serving/offers.table.ts";
import { lockClicks, markReversed, selectAccountsOfClicks } from "./clicks.table.ts";

export type Reversal = { offerIds: string[]; reason: string; actorAccountId: string | null; nowMs: number };
export type ReversalOutcome = { offerId: string; outcome: "reversed" | "already_confirmed" | "already_reversed" | "unknown" };

type ReversedClick = { account_id: string; offer_id: string; developer_micro: number };

const outcomeOfStatus = { pending: "reversed", confirmed: "already_confirmed", reversed: "already_reversed" } as const;

/** An event names this many ads at most. */
const namedAdsMax = 100;

const eventsOf = (reversed: readonly ReversedClick[]): NewEvent[] =>
  [...Map.groupBy(reversed, (click) => click.account_id)].map(([accountId, clicks]) => ({
    audience: accountId,
    type: "clicks.reversed",
    data: {
      account_id: accountId,
      ad_ids: clicks.slice(0, namedAdsMax).map((click) => click.offer_id),
      clicks: clicks.length,
      developer_usd: usdOf(clicks.reduce((sum, click) => sum + click.developer_micro, 0)),
    },
  }));

/** Lock order: chains, clicks, campaigns, hours, the ends of events, the end of the audit log. */
export const work: TransactionWork<Reversal, ReversalOutcome[]> = async (tx, reversal) => {
  const offerIds = [...new Set(reversal.offerIds)].toSorted();
  const owners = await tx.run(selectAccountsOfClicks(tx.db, offerIds));
  const heads = await lockChains(tx, owners.map((each) => each.account_id));
  const clicks = owners.length === 0 ? [] : await tx.run(lockClicks(tx.db, offerIds));
  const reversible = clicks.filter((click) => click.status === "pending");
  const entries = await appendEntries(
    tx,
    heads,
    reversible.map((click) => ({
      accountId: click.account_id,
      atMs: reversal.nowMs,
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
    await tx.change(markReversed(tx.db, { offerId: click.offer_id, reversalSeq: seq, reason: reversal.reason, nowMs: reversal.nowMs }));
  }
  for (const click of reversible.toSorted((a, b) => (a.campaign_id < b.campaign_id ? -1 : 1))) {
    const refund = { campaignId: click.campaign_id, microUsd: click.price_micro };
    await tx.change(refundCampaign(tx.db, refund));
    await tx.change(refundDay(tx.db, { ...refund, atMs: click.at }));
  }
  for (const click of reversible) {
    await tx.change(subtractFromHour(tx.db, click));
    const [offer] = await tx.run(selectCategoryOfOffer(tx.db, click.offer_id));
    if (offer) await tx.change(unlearnClick(tx.db, { creativeId: click.creative_id, placement: click.placement, category: offer.category }));
  }
  const { actorAccountId, reason, nowMs } = reversal;
  await writeEvents(tx, eventsOf(reversible), nowMs);
  const notes = reversible.map(({ offer_id: subject, account_id: accountId, price_micro: priceMicro }) => {
    return { actorAccountId, action: "click.reverse", subject, accountId, detail: { reason, price_micro: priceMicro }, nowMs };
  });
  if (notes.length > 0) await tx.change(noteActions(tx.db, notes));
  const statusOf = new Map(clicks.map((click) => [click.offer_id, click.status]));
  return offerIds.map((offerId) => {
    const status = statusOf.get(offerId);
    return { offerId, outcome: status === undefined ? "unknown" : outcomeOfStatus[status] };
  });
};
