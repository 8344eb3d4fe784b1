import { startOfDay } from "../../formats/time.ts";
import { appendEntries, type LockedHeads } from "../../money/ledger/append-entries.ts";
import type { Transaction } from "../../store/store.ts";
import { type NewEvent, operators, writeEvents } from "../../webhooks/events/write-events.ts";
import { lockCampaigns, selectSpentOnDays, spendOfCampaign, spendOnDay } from "../campaigns/budgets.table.ts";
import { type CampaignState, judgePayment } from "./click-verdict.ts";
import { insertClicks } from "./clicks.table.ts";
import { type OfferFacts, sortedIds } from "./read-offers.ts";

const clicksPerInsert = 500;

/** A click that is valid by itself. */
export type PayableClick = { offer: OfferFacts; atMs: number };
export type PaymentVerdict = ReturnType<typeof judgePayment>;

type HeldCampaign = CampaignState & { id: string; bidMicroUsd: number; spentOnDays: Map<number, number>; addedMicroUsd: number; addedOnDays: Map<number, number> };

/** Locks the campaigns and reads their spend. */
async function lockSpend(tx: Transaction, clicks: readonly PayableClick[]): Promise<Map<string, HeldCampaign>> {
  const campaignIds = sortedIds(clicks.map(({ offer }) => offer.campaign_id));
  const rows = await tx.run(lockCampaigns(tx.db, campaignIds));
  const held = new Map<string, HeldCampaign>(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        bidMicroUsd: row.bid_micro,
        isActive: row.status === "active",
        startsMs: row.starts_at,
        endsMs: row.ends_at ?? undefined,
        budgetMicroUsd: row.budget_micro,
        spentMicroUsd: row.spent_micro,
        dailyBudgetMicroUsd: row.daily_budget_micro ?? undefined,
        spentOnDays: new Map(),
        addedMicroUsd: 0,
        addedOnDays: new Map(),
      },
    ]),
  );
  const days = [...new Set(clicks.map(({ atMs }) => startOfDay(atMs)))];
  for (const row of await tx.run(selectSpentOnDays(tx.db, { campaignIds, days }))) {
    held.get(row.campaign_id)?.spentOnDays.set(row.day, row.spent_micro);
  }
  return held;
}

function judge(campaign: HeldCampaign, { offer, atMs }: PayableClick): PaymentVerdict {
  const day = startOfDay(atMs);
  const spentOnDayMicroUsd = campaign.spentOnDays.get(day) ?? 0;
  const verdict = judgePayment(campaign, { atMs, priceMicroUsd: offer.price_micro, spentOnDayMicroUsd });
  if (verdict === "paid") {
    campaign.spentMicroUsd += offer.price_micro;
    campaign.addedMicroUsd += offer.price_micro;
    campaign.spentOnDays.set(day, spentOnDayMicroUsd + offer.price_micro);
    campaign.addedOnDays.set(day, (campaign.addedOnDays.get(day) ?? 0) + offer.price_micro);
  }
  return verdict;
}

/** The UPDATE statements check the budgets again, so that a bug in `judge` cannot overspend. */
async function spend(tx: Transaction, { id: campaignId, addedMicroUsd, addedOnDays }: HeldCampaign): Promise<void> {
  if (addedMicroUsd === 0) return;
  const changed = await tx.change(spendOfCampaign(tx.db, { campaignId, microUsd: addedMicroUsd }));
  if (changed !== 1) throw new Error(`campaign ${campaignId} would have spent more than its budget`);
  for (const [day, microUsd] of addedOnDays) {
    const changedDays = await tx.change(spendOnDay(tx.db, { campaignId, day, microUsd }));
    if (changedDays !== 1) throw new Error(`campaign ${campaignId} would have spent more than its daily budget`);
  }
}

/** The budgets that covered one more click before these were paid, and no longer do. */
const exhaustedBy = (campaigns: Iterable<HeldCampaign>): NewEvent[] =>
  [...campaigns]
    .filter(({ budgetMicroUsd, spentMicroUsd, addedMicroUsd, bidMicroUsd }) => {
      const leftMicroUsd = budgetMicroUsd - spentMicroUsd;
      return leftMicroUsd < bidMicroUsd && leftMicroUsd + addedMicroUsd >= bidMicroUsd;
    })
    .map(({ id }) => ({ audience: operators, type: "campaign.exhausted", data: { campaign_id: id } }));

async function record(tx: Transaction, heads: LockedHeads, paid: readonly PayableClick[]): Promise<void> {
  const entries = await appendEntries(
    tx,
    heads,
    paid.map(({ offer, atMs }) => ({
      accountId: offer.account_id,
      atMs,
      kind: "click",
      ref: offer.id,
      endpoint: "click",
      payer: "advertiser",
      shareBps: offer.share_bps,
      grossMicroUsd: offer.price_micro,
      developerMicroUsd: offer.developer_micro,
    })),
  );
  const rows = paid.map(({ offer, atMs }, index) => ({
    offer_id: offer.id,
    account_id: offer.account_id,
    campaign_id: offer.campaign_id,
    creative_id: offer.creative_id,
    placement: offer.placement,
    category: offer.category,
    trust_band: offer.trust_band,
    at: atMs,
    price_micro: offer.price_micro,
    developer_micro: offer.developer_micro,
    share_bps: offer.share_bps,
    ledger_seq: entries[index]!.seq,
    status: "pending" as const,
    settled_at: null,
    reversal_seq: null,
    reason: null,
  }));
  for (let from = 0; from < rows.length; from += clicksPerInsert) {
    await tx.change(insertClicks(tx.db, rows.slice(from, from + clicksPerInsert)));
  }
}

/**
 * Pays clicks in order, each if its campaign is running and its budgets cover it, and returns their verdicts. The
 * caller has locked their chains and offers: campaigns come next in the lock order.
 */
export async function payClicks(tx: Transaction, heads: LockedHeads, clicks: readonly PayableClick[]): Promise<PaymentVerdict[]> {
  if (clicks.length === 0) return [];
  const campaigns = await lockSpend(tx, clicks);
  const verdicts = clicks.map((click): PaymentVerdict => {
    const campaign = campaigns.get(click.offer.campaign_id);
    return campaign ? judge(campaign, click) : "campaign_ended";
  });
  const paid = clicks.filter((_, index) => verdicts[index] === "paid");
  if (paid.length === 0) return verdicts;
  for (const campaign of campaigns.values()) await spend(tx, campaign);
  await record(tx, heads, paid);
  await writeEvents(tx, exhaustedBy(campaigns.values()), Math.max(...paid.map(({ atMs }) => atMs)));
  return verdicts;
}
