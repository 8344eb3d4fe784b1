import { LogsQuery, LogsReply } from "@assay/contract/dashboard/logs.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { findLog, listLogs } from "./list-logs.ts";

export function addLogRoutes(app: TypedApp, context: DeveloperContext): void {
  app.get("/logs", {
    schema: { hide: true, querystring: LogsQuery, response: { 200: LogsReply } },
    handler: ({ signedIn: { accountId }, query }) => {
      const { request_id: requestId } = query;
      return requestId === undefined ? listLogs(context, accountId, query) : findLog(context, { accountId, requestId });
    },
  });
}
