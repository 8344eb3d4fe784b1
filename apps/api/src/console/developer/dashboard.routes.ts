import type { FastifyInstance } from "fastify";
import { refuseUnlessActive, requireSignIn, type SignInGuard } from "../../people/require-sign-in.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { addKeyRoutes } from "./keys.route.ts";
import { addLogRoutes } from "./logs.route.ts";
import { addOverviewRoutes } from "./overview.route.ts";
import { addPlaygroundRoute } from "./playground.route.ts";
import { addRevenueRoutes } from "./revenue.route.ts";
import { addSessionPageRoutes } from "./sessions.route.ts";
import { addSettingsRoutes } from "./settings.route.ts";
import { addUsageRoutes } from "./usage.route.ts";

/** The developer's dashboard: everything here is the signed-in account's own, and of no other. */
export async function addDashboardRoutes(app: FastifyInstance, context: DeveloperContext & { guard: SignInGuard }): Promise<void> {
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", requireSignIn(context.guard));
      scope.addHook("onRequest", refuseUnlessActive);
      addOverviewRoutes(scope, context);
      addKeyRoutes(scope, context);
      addUsageRoutes(scope, context);
      addRevenueRoutes(scope, context);
      addSessionPageRoutes(scope, context);
      addPlaygroundRoute(scope, context);
      addLogRoutes(scope, context);
      addSettingsRoutes(scope, context);
    },
    { prefix: "/dashboard/api" },
  );
}
