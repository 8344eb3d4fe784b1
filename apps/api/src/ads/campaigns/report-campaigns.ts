import type { Store } from "../../store/store.ts";
import { selectCampaigns } from "./campaigns.table.ts";
import { noFigures } from "../reports/report-ads.ts";
import { sumAdsOfCampaigns, sumIgnoredOfCampaigns } from "../reports/report.table.ts";
import { usdOf } from "../../formats/money.ts";

const campaignsPerPage = 200;

export type CampaignReport = {
  name: string;
  advertiser: string;
  budget_usd: number;
  spend_usd: number;
  developer_usd: number;
  impressions: number;
  valid_clicks: number;
  ignored_clicks: Record<string, number>;
};

/** What advertisers' campaigns have had so far, in the order in which they were made; on request also the house's. */
export async function reportCampaigns(store: Store, { includesHouse = false } = {}): Promise<CampaignReport[]> {
  const reports: CampaignReport[] = [];
  let afterId = "";
  for (;;) {
    const page = await selectCampaigns(store.db, { afterId, limit: campaignsPerPage }).execute();
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) {
      const [sums, ignored] = await Promise.all([
        sumAdsOfCampaigns(store.db, ids).execute(),
        sumIgnoredOfCampaigns(store.db, ids).execute(),
      ]);
      const figuresOf = new Map(sums.map((row) => [row.campaign_id, row]));
      const ignoredOf = Map.groupBy(ignored, (row) => row.campaign_id);
      for (const campaign of page.filter(({ house }) => includesHouse || house === 0)) {
        const figures = figuresOf.get(campaign.id) ?? noFigures;
        reports.push({
          name: campaign.name,
          advertiser: campaign.advertiser,
          budget_usd: usdOf(campaign.budget_micro),
          spend_usd: usdOf(campaign.spent_micro),
          developer_usd: usdOf(figures.developer_micro),
          impressions: figures.impressions,
          valid_clicks: figures.valid_clicks,
          ignored_clicks: Object.fromEntries((ignoredOf.get(campaign.id) ?? []).map(({ reason, clicks }) => [reason, clicks])),
        });
      }
    }
    if (page.length < campaignsPerPage) return reports;
    afterId = ids.at(-1)!;
  }
}
