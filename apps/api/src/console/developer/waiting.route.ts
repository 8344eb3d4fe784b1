import { OwnWaitingReply, StatementRequest, WaitingParams } from "@assay/contract/dashboard/waiting.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { stateOwnWaiting } from "../../money/unexamined/change-waiting.ts";
import { describeWaiting } from "../../money/unexamined/describe-waiting.ts";
import { selectWaitingOfAccount } from "../../money/waiting/waiting.table.ts";
import type { DeveloperContext } from "./developer-context.ts";

const shownMax = 100;

/** What of the account's own earnings waits because nobody can examine it. The developer states what it was; an operator decides. */
export function addOwnWaitingRoutes(app: TypedApp, { store, nowMs }: DeveloperContext): void {
  const listOwn = async (accountId: string): Promise<OwnWaitingReply> => ({
    waiting: (await selectWaitingOfAccount(store.db, { accountId, limit: shownMax }).execute()).map(describeWaiting),
  });

  app.get("/waiting", {
    schema: { hide: true, response: { 200: OwnWaitingReply } },
    handler: ({ signedIn }) => listOwn(signedIn.accountId),
  });
  app.post("/waiting/:waiting_id/statement", {
    config: { readsMany: true },
    schema: { hide: true, params: WaitingParams, body: StatementRequest, response: { 200: OwnWaitingReply } },
    async handler({ signedIn: { accountId }, params, body }) {
      await stateOwnWaiting(store, { waitingId: params.waiting_id, accountId, text: body.text.trim(), nowMs: nowMs() });
      return listOwn(accountId);
    },
  });
}
