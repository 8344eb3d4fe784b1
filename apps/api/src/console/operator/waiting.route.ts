import { DecideWaitingRequest, WaitingAllowanceRequest, WaitingParams, WaitingReply } from "@assay/contract/dashboard/waiting.ts";
import { AccountParams } from "@assay/contract/dashboard/operator.ts";
import { decideWaiting } from "../../ads/clicks/decide-waiting-clicks.ts";
import { Failure } from "../../failure/failure.ts";
import { microUsdOf } from "../../formats/money.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { allowWaiting } from "../../money/unexamined/change-waiting.ts";
import { listUndecided } from "../../money/unexamined/list-waiting.ts";
import type { OperatorContext } from "./operator-context.ts";

export function addWaitingRoutes(app: TypedApp, { store, nowMs, payoutFourEyes: fourEyes, wakeMailer }: OperatorContext): void {
  app.get("/waiting", { schema: { hide: true, response: { 200: WaitingReply } }, handler: () => listUndecided(store) });
  app.post("/waiting/:waiting_id/decide", {
    config: { readsMany: true },
    schema: { hide: true, params: WaitingParams, body: DecideWaitingRequest, response: { 200: WaitingReply } },
    async handler({ signedIn, params, body }) {
      await decideWaiting(store, { waitingId: params.waiting_id, decision: body.decision, reason: body.reason.trim(), actorAccountId: signedIn.accountId, fourEyes, nowMs: nowMs() });
      wakeMailer();
      return listUndecided(store);
    },
  });
  app.post("/accounts/:account_id/waiting-allowance", {
    config: { readsMany: true },
    schema: { hide: true, params: AccountParams, body: WaitingAllowanceRequest, response: { 200: WaitingReply } },
    async handler({ signedIn, params, body }) {
      const dailyMicroUsd = microUsdOf(body.daily_usd);
      if (dailyMicroUsd === undefined) throw new Failure("invalid_request", "daily_usd must have at most six decimals");
      const order = { accountId: params.account_id, waitingReason: body.waiting_reason, dailyMicroUsd, reason: body.reason.trim() };
      await allowWaiting(store, { ...order, actorAccountId: signedIn.accountId, fourEyes, nowMs: nowMs() });
      return listUndecided(store);
    },
  });
}
