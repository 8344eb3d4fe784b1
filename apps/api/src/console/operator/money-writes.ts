import type { TypedApp } from "../../http/typed-app.ts";
import { requireStepUp } from "../../people/session-step-up.ts";
import type { Store } from "../../store/store.ts";

const root = "/dashboard/api/operator";
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Every write of the console that moves money, decides about somebody's money or standing, or promises money to somebody:
 * it needs a session that was confirmed a short time ago.
 */
export const moneyWrites: ReadonlySet<string> = new Set(
  [
    "POST /funding",
    "POST /payouts/propose",
    "POST /payouts/approve",
    "POST /payouts/export",
    "POST /payouts/:payout_id/approve",
    "POST /payouts/:payout_id/paid",
    "POST /payouts/:payout_id/return",
    "POST /payouts/:payout_id/cancel",
    "POST /accounts/:account_id/suspend",
    "POST /accounts/:account_id/resume",
    "POST /accounts/:account_id/tier",
    "POST /tier-requests/:request_id",
    "POST /accounts/:account_id/hold",
    "POST /accounts/:account_id/lift-hold",
    "POST /accounts/:account_id/deposits",
    "POST /accounts/:account_id/adjustments",
    "POST /accounts/:account_id/reverse-calls",
    "POST /accounts/:account_id/review",
    "POST /accounts/:account_id/waiting-allowance",
    "POST /waiting/:waiting_id/decide",
    "POST /accounts/:account_id/unlink",
    "POST /accounts/:account_id/relink",
    "POST /clicks/reverse",
    "POST /findings",
    "POST /findings/:finding_id/decide",
    "POST /findings/:finding_id/reopen",
    // A campaign's budget is money for whoever's clicks it pays.
    "POST /campaigns",
    "PATCH /campaigns/:id",
    "POST /campaigns/:id/state",
  ].map((route) => route.replace(" ", ` ${root}`)),
);

/** Every other write of the console: nobody has more or less money by it. */
export const otherWrites: ReadonlySet<string> = new Set(
  [
    "POST /advertisers",
    "PATCH /advertisers/:id",
    "POST /campaigns/:id/token",
    "POST /campaigns/:id/creatives",
    "PATCH /creatives/:id",
    "POST /creatives/preview",
    "PUT /models/shadow",
    "POST /tracking-keys/rotate",
    "POST /webhooks",
    "PATCH /webhooks/:endpoint_id",
    "DELETE /webhooks/:endpoint_id",
    "POST /webhooks/:endpoint_id/rotate",
    "POST /webhooks/:endpoint_id/test",
    "POST /webhooks/:endpoint_id/replay",
    "POST /webhooks/:endpoint_id/deliveries/:event_id/redeliver",
  ].map((route) => route.replace(" ", ` ${root}`)),
);

/** For all routes that are added from here on. A write that is in neither list needs a confirmed session too. */
export function demandStepUp(app: TypedApp, context: { store: Store; nowMs: () => number }): void {
  const check = requireStepUp(context);
  app.addHook("onRoute", (route) => {
    const isFree = [route.method].flat().every((method) => safeMethods.has(method) || otherWrites.has(`${method} ${route.url}`));
    if (!isFree) route.preHandler = [check, ...[route.preHandler ?? []].flat()];
  });
}
