import { usdOf } from "../../formats/money.ts";
import type { Store } from "../../store/store.ts";
import { noFigures } from "../reports/report-ads.ts";
import { sumConversionsOfCampaigns } from "../reports/report-groups.table.ts";
import { sumAdsOfCampaigns, sumIgnoredOfCampaigns, sumOriginsOfCampaigns } from "../reports/report.table.ts";
import { selectCampaigns } from "./campaigns.table.ts";

const campaignsPerPage = 200;
const developersMax = 100;

export type CampaignReport = {
  name: string;
  advertiser: string;
  budget_usd: number;
  spend_usd: number;
  developer_usd: number;
  impressions: number;
  valid_clicks: number;
  ignored_clicks: Record<string, number>;
  /**
   * Of the valid ones: those that wait for a decision, since one network sent many; those whose request did not say what it
   * was for; those of a developer and day with far more clicks than the same ads get elsewhere.
   */
  waiting_clicks: number;
  undescribed_clicks: number;
  unlike_clicks: number;
  conversions: number;
  /** The 100 developers with the most. */
  conversions_by_developer: { account_id: string; conversions: number }[];
};

/** All-time figures of advertisers' campaigns, and on request of house campaigns, in the order of creation. */
export async function reportCampaigns(store: Store, { includesHouse = false } = {}): Promise<CampaignReport[]> {
  const reports: CampaignReport[] = [];
  let afterId = "";
  for (;;) {
    const page = await selectCampaigns(store.db, { afterId, limit: campaignsPerPage }).execute();
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) {
      const [sums, ignored, conversions, origins] = await Promise.all([
        sumAdsOfCampaigns(store.db, ids).execute(),
        sumIgnoredOfCampaigns(store.db, ids).execute(),
        sumConversionsOfCampaigns(store.db, ids).execute(),
        sumOriginsOfCampaigns(store.db, ids).execute(),
      ]);
      const conversionsOf = Map.groupBy(conversions, (row) => row.campaign_id);
      const figuresOf = new Map(sums.map((row) => [row.campaign_id, row]));
      const ignoredOf = Map.groupBy(ignored, (row) => row.campaign_id);
      for (const campaign of page.filter(({ house }) => includesHouse || house === 0)) {
        const figures = figuresOf.get(campaign.id) ?? noFigures;
        const { waiting, undescribed, unlike } = origins.find((row) => row.campaign_id === campaign.id) ?? { waiting: 0, undescribed: 0, unlike: 0 };
        const converted = conversionsOf.get(campaign.id) ?? [];
        reports.push({
          name: campaign.name,
          advertiser: campaign.advertiser,
          budget_usd: usdOf(campaign.budget_micro),
          spend_usd: usdOf(campaign.spent_micro),
          developer_usd: usdOf(figures.developer_micro),
          impressions: figures.impressions,
          valid_clicks: figures.valid_clicks,
          ignored_clicks: Object.fromEntries((ignoredOf.get(campaign.id) ?? []).map(({ reason, clicks }) => [reason, clicks])),
          waiting_clicks: waiting,
          undescribed_clicks: undescribed,
          unlike_clicks: unlike,
          conversions: converted.reduce((sum, row) => sum + row.conversions, 0),
          conversions_by_developer: converted.slice(0, developersMax).map(({ account_id, conversions: count }) => ({ account_id, conversions: count })),
        });
      }
    }
    if (page.length < campaignsPerPage) return reports;
    afterId = ids.at(-1)!;
  }
}
