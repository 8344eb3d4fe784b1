import type { TypedApp } from "../../http/typed-app.ts";
import { operatorGuard, type OperatorRule } from "../../people/require-operator.ts";
import { addSignInHooks, type SignInGuard } from "../../people/require-sign-in.ts";
import { operators } from "../../webhooks/events/write-events.ts";
import { addWebhookRoutes, type WebhooksContext } from "../webhooks/webhooks.routes.ts";
import { addAccountRoutes } from "./accounts.route.ts";
import { addAuditRoutes } from "./audit.route.ts";
import { addCallDayRoutes } from "./call-days.route.ts";
import { addCampaignsRoutes, type CampaignsContext } from "./campaigns.routes.ts";
import { addCorrectionRoutes } from "./corrections.route.ts";
import { addFindingRoutes } from "./findings.route.ts";
import { addHoldRoutes } from "./holds.route.ts";
import { addIntegrityRoutes } from "./integrity.route.ts";
import { addModelRoutes } from "./models.route.ts";
import { addMoneyRoutes } from "./money.route.ts";
import type { OperatorContext } from "./operator-context.ts";
import { addPayeeRoutes } from "./payees.route.ts";
import { addReviewRoutes } from "./reviews.route.ts";
import { addWaitingRoutes } from "./waiting.route.ts";
import { demandStepUp } from "./money-writes.ts";
import { addSystemRoutes } from "./system.route.ts";

/** The operator's console. Other accounts get 404, an operator who must set up a second factor first gets 403. */
export async function addOperatorRoutes(app: TypedApp, context: OperatorContext & CampaignsContext & WebhooksContext & OperatorRule & { guard: SignInGuard }): Promise<void> {
  await app.register(
    async (operator: TypedApp) => {
      const requireOperator = operatorGuard(context);
      addSignInHooks(operator, context.guard, requireOperator);
      demandStepUp(operator, context);
      addMoneyRoutes(operator, context);
      addAccountRoutes(operator, context);
      addCorrectionRoutes(operator, context);
      addHoldRoutes(operator, context);
      addCallDayRoutes(operator, context);
      addPayeeRoutes(operator, context);
      addFindingRoutes(operator, context);
      addIntegrityRoutes(operator, context);
      addReviewRoutes(operator, context);
      addWaitingRoutes(operator, context);
      addSystemRoutes(operator, context);
      addModelRoutes(operator, context);
      addAuditRoutes(operator, context);
      addWebhookRoutes(operator, { context, audienceOf: () => operators });
      await addCampaignsRoutes(operator, context);
    },
    { prefix: "/dashboard/api/operator" },
  );
}
