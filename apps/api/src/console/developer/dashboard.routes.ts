import type { FastifyInstance } from "fastify";
import { refuseUnlessActive, requireSignIn, type SignInGuard } from "../../people/require-sign-in.ts";
import type { DashboardDeps } from "./dashboard-deps.ts";
import { addKeyRoutes } from "./keys.route.ts";
import { addLogRoutes } from "./logs.route.ts";
import { addOverviewRoutes } from "./overview.route.ts";
import { addPlaygroundRoute } from "./playground.route.ts";
import { addRevenueRoutes } from "./revenue.route.ts";
import { addSessionPageRoutes } from "./sessions.route.ts";
import { addSettingsRoutes } from "./settings.route.ts";
import { addUsageRoutes } from "./usage.route.ts";

/** The developer's dashboard: everything here is the signed-in account's own, and of no other. */
export async function addDashboardRoutes(app: FastifyInstance, deps: DashboardDeps & { guard: SignInGuard }): Promise<void> {
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", requireSignIn(deps.guard));
      scope.addHook("onRequest", refuseUnlessActive);
      addOverviewRoutes(scope, deps);
      addKeyRoutes(scope, deps);
      addUsageRoutes(scope, deps);
      addRevenueRoutes(scope, deps);
      addSessionPageRoutes(scope, deps);
      addPlaygroundRoute(scope, deps);
      addLogRoutes(scope, deps);
      addSettingsRoutes(scope, deps);
    },
    { prefix: "/dashboard/api" },
  );
}
