import { CallDaysReply, ReverseCallsReply, ReverseCallsRequest } from "@assay/contract/dashboard/integrity.ts";
import { AccountParams } from "@assay/contract/dashboard/operator.ts";
import { Failure } from "../../failure/failure.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { describeReversed } from "../../money/days/describe-days.ts";
import { listCallDays } from "../../money/days/list-days.ts";
import { reverseCalls } from "../../money/days/reverse-calls.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import type { OperatorContext } from "./operator-context.ts";

export function addCallDayRoutes(app: TypedApp, { store, nowMs, wakeMailer, callHoldDays, payoutFourEyes: fourEyes }: OperatorContext): void {
  async function checkAccount(accountId: string): Promise<void> {
    if (!(await selectOwnAccount(store.db, accountId).executeTakeFirst())) throw new Failure("not_found", "No account has this id.");
  }

  app.get("/accounts/:account_id/call-days", {
    schema: { hide: true, params: AccountParams, response: { 200: CallDaysReply } },
    async handler({ params: { account_id: accountId } }) {
      await checkAccount(accountId);
      return listCallDays(store, { accountId, holdDays: callHoldDays });
    },
  });
  app.post("/accounts/:account_id/reverse-calls", {
    schema: { hide: true, params: AccountParams, body: ReverseCallsRequest, response: { 200: ReverseCallsReply } },
    async handler({ signedIn, params: { account_id: accountId }, body: { reason, ...calls } }) {
      await checkAccount(accountId);
      const reversed = await reverseCalls(store, { accountId, calls, reason, actorAccountId: signedIn.accountId, fourEyes, nowMs: nowMs() });
      wakeMailer();
      return describeReversed(reversed);
    },
  });
}
