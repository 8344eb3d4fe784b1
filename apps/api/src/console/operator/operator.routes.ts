import { refuseUnlessActive, requireOperator, requireSignIn, type SignInGuard } from "../../people/require-sign-in.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { addAccountRoutes } from "./accounts.route.ts";
import { addFindingRoutes } from "./findings.route.ts";
import { addMoneyRoutes } from "./money.route.ts";
import type { OperatorContext } from "./operator-context.ts";
import { addSystemRoutes } from "./system.route.ts";
import { addTrackingKeyRoutes } from "./tracking-keys.route.ts";

/** Everything that operators see and do, but for campaigns. To anybody else it does not exist. */
export async function addOperatorRoutes(app: TypedApp, context: OperatorContext & { guard: SignInGuard }): Promise<void> {
  await app.register(
    async (operator: TypedApp) => {
      operator.addHook("onRequest", requireSignIn(context.guard));
      operator.addHook("onRequest", requireOperator);
      operator.addHook("onRequest", refuseUnlessActive);
      addMoneyRoutes(operator, context);
      addAccountRoutes(operator, context);
      addFindingRoutes(operator, context);
      addSystemRoutes(operator, context);
      addTrackingKeyRoutes(operator, context);
    },
    { prefix: "/dashboard/api/operator" },
  );
}
