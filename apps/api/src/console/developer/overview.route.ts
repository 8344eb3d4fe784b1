import { LiveReply, OverviewReply } from "@assay/contract/dashboard/overview.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { DashboardDeps } from "./dashboard-deps.ts";
import { readLive, readOverview } from "./read-overview.ts";

export function addOverviewRoutes(app: TypedApp, deps: DashboardDeps): void {
  app.get("/overview", {
    schema: { hide: true, response: { 200: OverviewReply } },
    handler: ({ signedIn }) => readOverview(deps, signedIn.accountId),
  });
  app.get("/live", {
    schema: { hide: true, response: { 200: LiveReply } },
    handler: ({ signedIn }) => readLive(deps, signedIn.accountId),
  });
}
