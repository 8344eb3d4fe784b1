import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./ad-days.table.ts";

const group = { account_id: accountId, day: nowMs, format: "banner", placement: "feed", category: "gaming" } as const;

export const samples = {
  addToCategoryDays: [[{ account_id: accountId, day: nowMs, category: "gaming", offers: 0, impressions: 1, valid_clicks: 1, developer_micro: 170_000 }]],
  addToIgnoredClickDays: [[{ ...group, reason: "duplicate", clicks: 1 }]],
  addToNoFillDays: [[{ ...group, reason: "no_campaign", requests: 1 }]],
  subtractFromCategoryDay: [{ account_id: accountId, at: nowMs, category: "gaming", developer_micro: 170_000 }],
  addToConversionDays: [{ ...group, campaign_id: "camp_sample", conversions: 1 }],
} satisfies SamplesOf<typeof table>;
