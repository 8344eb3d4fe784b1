import { accountId, nowMs, span, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./ad-hours.table.ts";

const ad = { account_id: accountId, campaign_id: "camp_sample", creative_id: "crea_sample", placement: "feed", trust_band: "high" } as const;
const click = { ...ad, at: nowMs, price_micro: 250_000, developer_micro: 170_000 };
const hour = { fromMs: nowMs, toMs: nowMs + 3_600_000 };

export const samples = {
  addToNoFillHours: [[{ account_id: accountId, hour: nowMs, reason: "no_campaign", requests: 1 }]],
  addToAdHours: [[{ ...ad, hour: nowMs, offers: 0, impressions: 1, valid_clicks: 1, spend_micro: 250_000, developer_micro: 170_000 }]],
  addToIgnoredClickHours: [[{ account_id: accountId, hour: nowMs, campaign_id: "camp_sample", reason: "duplicate", clicks: 1 }]],
  addToClickRates: [[{ creative_id: "crea_sample", placement: "feed", category: "gaming", impressions: 1, clicks: 1 }]],
  subtractFromHour: [click],
  unlearnClick: [{ creativeId: "crea_sample", placement: "feed", category: "gaming" }],
  countByPlacement: [span],
  countByCreative: [span],
  countOffersByHour: [hour],
  countNoFillsByHour: [hour],
} satisfies SamplesOf<typeof table>;
