import type { CampaignConversionsReply } from "@assay/contract/dashboard/campaigns.ts";
import { isoTime, isoTimeOrNull, type Span } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { selectToken } from "./campaign-tokens.table.ts";
import { sumConversions, sumConversionsByDeveloper } from "../reports/report-groups.table.ts";
import { sumAdsByPlacement } from "../reports/report.table.ts";

const developersMax = 100;

type ConversionsReport = Omit<CampaignConversionsReply, "developers"> & { developers: Omit<CampaignConversionsReply["developers"][number], "email">[] };

/** A campaign's conversions in a span of whole days, by developer. */
export async function reportConversions(store: Store, campaignId: string, span: Span): Promise<ConversionsReport> {
  const of = { campaignId, ...span };
  const [token, all, byPlacement, developers] = await Promise.all([
    selectToken(store.db, campaignId).executeTakeFirst(),
    sumConversions(store.db, of).executeTakeFirst(),
    sumAdsByPlacement(store.db, { of: { campaignId }, ...span }).execute(),
    sumConversionsByDeveloper(store.db, { ...of, limit: developersMax }).execute(),
  ]);
  return {
    from: isoTime(span.fromMs),
    to: isoTime(span.toMs),
    token_created_at: isoTimeOrNull(token?.created_at ?? null),
    valid_clicks: byPlacement.reduce((sum, row) => sum + row.valid_clicks, 0),
    conversions: all?.conversions ?? 0,
    developers,
  };
}
