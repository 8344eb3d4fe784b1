import { DashboardUsageQuery, type DashboardUsageReply, DashboardUsageReply as UsageReply } from "@assay/contract/dashboard/usage.ts";
import { toCsv } from "../../formats/csv.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { parseUsageWish, reportRequests } from "./report-requests.ts";
import { sendDownload } from "./send-download.ts";

/** One line for each hour or day and each group that had requests. */
function usageCsv(usage: DashboardUsageReply): string {
  const labels = new Map(usage.groups.map(({ name, label }) => [name, label]));
  const rows = usage.series.flatMap(({ start, groups }) =>
    groups.map(({ name, requests }) => [start, name, labels.get(name) ?? name, requests]),
  );
  return toCsv(["start", usage.group, "label", "requests"], rows);
}

export function addUsageRoutes(app: TypedApp, context: DeveloperContext): void {
  const { store, nowMs } = context;
  app.get("/usage", {
    schema: { hide: true, querystring: DashboardUsageQuery, response: { 200: UsageReply } },
    handler: ({ signedIn, query }) => reportRequests(store, parseUsageWish(query, signedIn.accountId, nowMs())),
  });
  app.get("/usage.csv", {
    schema: { hide: true, querystring: DashboardUsageQuery },
    async handler({ signedIn, query }, reply) {
      const usage = await reportRequests(store, parseUsageWish(query, signedIn.accountId, nowMs()));
      const name = `assay-usage-by-${usage.group}-${usage.from.slice(0, 10)}-to-${usage.to.slice(0, 10)}.csv`;
      return sendDownload(reply, { name, type: "text/csv; charset=utf-8", content: usageCsv(usage) });
    },
  });
}
