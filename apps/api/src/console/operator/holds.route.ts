import { AccountParams, HoldsReply, ReasonRequest } from "@assay/contract/dashboard/operator.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime, isoTimeOrNull } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { changeHold, holdRefusalTexts } from "../../money/holds/change-hold.ts";
import type { HoldChange } from "../../money/holds/change-hold.work.ts";
import { selectHolds } from "../../money/holds/holds.table.ts";
import { emailsOf } from "./emails-of.ts";
import type { OperatorContext } from "./operator-context.ts";

const holdsShown = 100;

export function addHoldRoutes(app: TypedApp, { store, nowMs, wakeMailer, payoutFourEyes: fourEyes }: OperatorContext): void {
  async function listHolds(accountId: string): Promise<HoldsReply> {
    const rows = await selectHolds(store.db, { accountId, limit: holdsShown }).execute();
    const emails = await emailsOf(store, rows.flatMap((row) => [row.opened_by ?? [], row.lifted_by ?? []].flat()));
    const nameOf = (operatorId: string | null) => (operatorId === null ? "command line" : (emails.get(operatorId) ?? operatorId));
    return {
      holds: rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        reason: row.reason,
        opened_by: nameOf(row.opened_by),
        opened_at: isoTime(row.opened_at),
        lifted_by: row.lifted_at === null ? null : nameOf(row.lifted_by),
        lifted_at: isoTimeOrNull(row.lifted_at),
        lift_reason: row.lift_reason,
      })),
    };
  }

  app.get("/accounts/:account_id/holds", {
    schema: { hide: true, params: AccountParams, response: { 200: HoldsReply } },
    handler: ({ params }) => listHolds(params.account_id),
  });
  const changes: Record<string, HoldChange["to"]> = { hold: "open", "lift-hold": "lift" };
  for (const [verb, to] of Object.entries(changes)) {
    app.post(`/accounts/:account_id/${verb}`, {
      schema: { hide: true, params: AccountParams, body: ReasonRequest, response: { 200: HoldsReply } },
      async handler({ signedIn, params, body }) {
        const accountId = params.account_id;
        const { kind } = await changeHold(store, { accountId, to, reason: body.reason.trim(), actorAccountId: signedIn.accountId, fourEyes, nowMs: nowMs() });
        if (kind === "unknown_account") throw new Failure("not_found", holdRefusalTexts[kind]);
        if (kind !== "opened" && kind !== "lifted") throw new Failure("invalid_request", holdRefusalTexts[kind]);
        wakeMailer();
        return listHolds(accountId);
      },
    });
  }
}
