import { LiveReply, OverviewReply } from "@assay/contract/dashboard/overview.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { readLive, readOverview } from "./read-overview.ts";

export function addOverviewRoutes(app: TypedApp, context: DeveloperContext): void {
  app.get("/overview", {
    schema: { hide: true, response: { 200: OverviewReply } },
    handler: ({ signedIn }) => readOverview(context, signedIn.accountId),
  });
  app.get("/live", {
    schema: { hide: true, response: { 200: LiveReply } },
    handler: ({ signedIn }) => readLive(context, signedIn.accountId),
  });
}
