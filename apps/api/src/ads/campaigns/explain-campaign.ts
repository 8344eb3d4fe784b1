import { explainServing, type NotServingReason } from "../auction/explain-serving.ts";
import type { Placement } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { type CampaignView, selectCreativesOf } from "./campaigns.table.ts";
import type { Inventory } from "./follow-inventory.ts";
import { dayStart } from "./read-inventory.ts";
import { countRecentOffers } from "../reports/report.table.ts";
import { selectSpendingOf } from "./budgets.table.ts";
import { msPerHour } from "../../formats/time.ts";

/** Codes that hold a campaign back without keeping it from serving. */
const heldBackOnly: ReadonlySet<string> = new Set(["paced", "no_matching_request", "trust_required", "outbid", "paying_campaigns_first"]);

export type Serving = { serving: boolean; reasons: NotServingReason[] };

/**
 * Why a campaign does not serve: its settings and its spend from the store, as they are at this moment; whether
 * it won anything lately from all nodes' sums; which requests came by, from this node.
 */
export async function explainCampaign(
  context: { store: Store; inventory: Inventory; floorMicroUsd: number; nowMs: () => number },
  campaign: CampaignView,
): Promise<Serving> {
  const { store, inventory, floorMicroUsd } = context;
  const nowMs = context.nowMs();
  const lastHour = Math.floor(nowMs / msPerHour) * msPerHour - msPerHour;
  const [spentToday, creatives, offers] = await Promise.all([
    selectSpendingOf(store.db, { campaignId: campaign.id, day: dayStart(nowMs) }).executeTakeFirst(),
    selectCreativesOf(store.db, campaign.id).execute(),
    countRecentOffers(store.db, { campaignId: campaign.id, fromMs: lastHour }).executeTakeFirst(),
  ]);
  const explained = {
    id: campaign.id,
    advertiserId: campaign.advertiser_id,
    status: campaign.status,
    house: campaign.house === 1,
    bidMicroUsd: campaign.bid_micro,
    budgetMicroUsd: campaign.budget_micro,
    spentMicroUsd: campaign.spent_micro,
    dailyBudgetMicroUsd: campaign.daily_budget_micro ?? undefined,
    spentTodayMicroUsd: spentToday?.spent_micro ?? 0,
    startsMs: campaign.starts_at,
    endsMs: campaign.ends_at ?? undefined,
    activeSinceMs: campaign.active_since ?? undefined,
    categories: JSON.parse(campaign.categories) as string[],
    placements: JSON.parse(campaign.placements) as Placement[],
    minTrust: campaign.min_trust,
    pacing: campaign.pacing,
    creatives: creatives.filter(({ status }) => status === "approved").map(({ id, format }) => ({ id, format })),
  };
  const here = inventory.statistics.of(explained, nowMs);
  const recent = { ...here, won: Math.max(here.won, offers?.offers ?? 0) };
  const { snapshot } = inventory.current();
  const reasons = explainServing(explained, { nowMs, floorMicroUsd, curve: snapshot.curve, liveOffers: inventory.liveOffers, recent });
  return { serving: reasons.every(({ code }) => heldBackOnly.has(code)), reasons };
}
