import { GroupedReportQuery, GroupedReportReply } from "@assay/contract/ads-report.ts";
import { keyedFailures } from "../../http/describe-failures.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { Store } from "../../store/store.ts";
import { parseGroupedSpan, reportGroups } from "./report-groups.ts";

/** Free of charge; it needs a key and counts against the rate limits. */
export function addAdsReportRoute(app: TypedApp, { store, nowMs }: { store: Store; nowMs: () => number }): void {
  app.get("/api/ads/report", {
    schema: {
      operationId: "adsReport",
      summary: "What ads earned, by group",
      description:
        "The account's live ads by placement, format, category or day: requests, what was not filled and why, impressions, clicks, revenue and conversions. " +
        "The span is widened to whole UTC days, at most 92.",
      tags: ["Ads"],
      security: [{ apiKey: [] }],
      querystring: GroupedReportQuery,
      response: { 200: GroupedReportReply, ...keyedFailures({ billable: false }) },
    },
    handler: ({ caller: { accountId }, query }) => reportGroups(store, { accountId, ...parseGroupedSpan(query, nowMs()) }, query.group_by),
  });
}
