import { msPerHour, startOfDay, startOfHour } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { explainServing, type NotServingReason } from "../auction/explain-serving.ts";
import { countRecentOffers } from "../reports/report.table.ts";
import { selectSpendingOf } from "./budgets.table.ts";
import { type CampaignView, selectCreativesOf } from "./campaigns.table.ts";
import type { Inventory } from "./follow-inventory.ts";
import { toFacts } from "./read-inventory.ts";

/** Codes that limit a campaign but do not stop it from serving. */
const heldBackOnly: ReadonlySet<string> = new Set(["paced", "no_matching_request", "trust_required", "outbid", "paying_campaigns_first"]);

export type Serving = { serving: boolean; reasons: NotServingReason[] };

/**
 * Why a campaign does not serve. Its settings and spend come from the store, recent wins from the sums of all nodes,
 * and the requests it matched from this node only.
 */
export async function explainCampaign(
  context: { store: Store; inventory: Inventory; floorMicroUsd: number; nowMs: () => number },
  campaign: CampaignView,
): Promise<Serving> {
  const { store, inventory, floorMicroUsd } = context;
  const nowMs = context.nowMs();
  const [spentToday, creatives, offers] = await Promise.all([
    selectSpendingOf(store.db, { campaignId: campaign.id, day: startOfDay(nowMs) }).executeTakeFirst(),
    selectCreativesOf(store.db, campaign.id).execute(),
    countRecentOffers(store.db, { campaignId: campaign.id, fromMs: startOfHour(nowMs) - msPerHour }).executeTakeFirst(),
  ]);
  const approved = creatives.filter(({ status }) => status === "approved");
  const explained = { ...toFacts(campaign, approved), status: campaign.status, spentTodayMicroUsd: spentToday?.spent_micro ?? 0 };
  const here = inventory.statistics.of(explained, nowMs);
  const recent = { ...here, won: Math.max(here.won, offers?.offers ?? 0) };
  const { snapshot } = inventory.current();
  const reasons = explainServing(explained, { nowMs, floorMicroUsd, curve: snapshot.curve, liveOffers: inventory.liveOffers, recent });
  return { serving: reasons.every(({ code }) => heldBackOnly.has(code)), reasons };
}
