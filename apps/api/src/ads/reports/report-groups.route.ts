import { GroupedReportQuery, GroupedReportReply } from "@assay/contract/ads-report.ts";
import { keyedFailures } from "../../http/describe-failures.ts";
import { answerReport } from "../../http/answer-report.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { Reports } from "../../store/reports/report-source.ts";
import { parseGroupedSpan, reportGroups } from "./report-groups.ts";

/** Free of charge; it needs a key and counts against the rate limits. */
export function addAdsReportRoute(app: TypedApp, { reports, nowMs }: { reports: Reports; nowMs: () => number }): void {
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
    handler: ({ caller: { accountId }, query }, reply) => {
      const span = { accountId, ...parseGroupedSpan(query, nowMs()) };
      return answerReport(reply, reports, (source) => reportGroups(source, span, query.group_by));
    },
  });
}
