import { AccountParams, PayeeChangesReply, PayeeStateReply, UnlinkRequest } from "@assay/contract/dashboard/operator.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime, msPerDay } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { Unlink } from "../../people/unlink-payee.work.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { selectChangedPayees, selectEarlierSharers, selectLaterSharers, selectPayee } from "../../register/payees.table.ts";
import { emailsOf } from "./emails-of.ts";
import type { OperatorContext } from "./operator-context.ts";

const unlinkModule = new URL("../../people/unlink-payee.work.ts", import.meta.url);
const linksShown = 100;
const changesShown = 500;
const changesShownMs = 30 * msPerDay;

/** Who is paid where is shown to nobody here: only that it changed, and who shares it. */
export function addPayeeRoutes(app: TypedApp, { store, nowMs }: OperatorContext): void {
  async function readState(accountId: string): Promise<PayeeStateReply> {
    const { db } = store;
    const [account, payee, earlier, later] = await Promise.all([
      selectOwnAccount(db, accountId).executeTakeFirst(),
      selectPayee(db, accountId).executeTakeFirst(),
      selectEarlierSharers(db, [accountId]).execute(),
      selectLaterSharers(db, { accountId, limit: linksShown }).execute(),
    ]);
    if (!account) throw new Failure("not_found", "No account has this id.");
    const [earlierIds, laterIds] = [earlier.map((each) => each.earlier_id), later.map((each) => each.account_id)];
    const emails = await emailsOf(store, [...earlierIds, ...laterIds]);
    const describe = (id: string) => ({ account_id: id, email: emails.get(id) ?? null });
    return {
      changed_at: payee ? isoTime(payee.updated_at) : null,
      usable_from: payee && payee.usable_from > nowMs() ? isoTime(payee.usable_from) : null,
      linked_to: earlierIds.toSorted().map(describe),
      linked_from: laterIds.map(describe),
    };
  }

  app.get("/accounts/:account_id/payee-state", {
    schema: { hide: true, params: AccountParams, response: { 200: PayeeStateReply } },
    handler: ({ params }) => readState(params.account_id),
  });
  app.post("/accounts/:account_id/unlink", {
    schema: { hide: true, params: AccountParams, body: UnlinkRequest, response: { 200: PayeeStateReply } },
    async handler({ signedIn, params, body }) {
      const { account_id: accountId } = params;
      const actorAccountId = signedIn.accountId;
      if ([accountId, body.from].includes(actorAccountId)) throw new Failure("invalid_request", "You cannot do this to your own account.");
      const before = await readState(accountId);
      const unlink = { accountId, fromAccountId: body.from, reason: body.reason.trim(), actorAccountId, nowMs: nowMs() };
      const isLinked = before.linked_to.some((each) => each.account_id === body.from);
      if (!isLinked || (await store.transact<Unlink, "unlinked" | "not_linked">(unlinkModule, unlink)) === "not_linked") throw new Failure("invalid_request", "The account is not linked to that one.");
      return readState(accountId);
    },
  });
  app.get("/payee-changes", {
    schema: { hide: true, response: { 200: PayeeChangesReply } },
    async handler() {
      const rows = await selectChangedPayees(store.db, { sinceMs: nowMs() - changesShownMs, limit: changesShown }).execute();
      return { changes: rows.map((row) => ({ account_id: row.account_id, email: row.email, changed_at: isoTime(row.updated_at), usable_from: isoTime(row.usable_from) })) };
    },
  });
}
