import { AccountParams, PayeeChangesReply, PayeeStateReply, RelinkRequest, UnlinkRequest } from "@assay/contract/dashboard/operator.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime, msPerDay } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { Unlink, UnlinkOutcome } from "../../people/unlink-payee.work.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { selectChangedPayees, selectEarlierSharers, selectLaterSharers, selectPayee, selectUnlinks } from "../../register/payees.table.ts";
import { emailsOf } from "./emails-of.ts";
import type { OperatorContext } from "./operator-context.ts";

const unlinkModule = new URL("../../people/unlink-payee.work.ts", import.meta.url);
const linksShown = 100;

const refusalTexts: Record<Exclude<UnlinkOutcome, "unlinked" | "relinked">, string> = {
  own_account: "You cannot do this to your own account, or one that names the same payee.",
  unknown_account: "The account is not linked to that one.",
  not_linked: "The account is not linked to that one.",
  was_paid: "The other account was paid there, so its owner may be the same person: unlink it without a proof, and review this account instead.",
  not_unlinked: "No operator has unlinked the account from that one.",
};

const changesShown = 500;
const changesShownMs = 30 * msPerDay;

/** Who is paid where is shown to nobody here: only that it changed, and who shares it. */
export function addPayeeRoutes(app: TypedApp, { store, nowMs, wakeMailer, payoutFourEyes: fourEyes }: OperatorContext): void {
  async function readState(accountId: string): Promise<PayeeStateReply> {
    const { db } = store;
    const [account, payee, earlier, later, unlinks] = await Promise.all([
      selectOwnAccount(db, accountId).executeTakeFirst(),
      selectPayee(db, accountId).executeTakeFirst(),
      selectEarlierSharers(db, [accountId]).execute(),
      selectLaterSharers(db, { accountId, limit: linksShown }).execute(),
      selectUnlinks(db, { accountId, limit: linksShown }).execute(),
    ]);
    if (!account) throw new Failure("not_found", "No account has this id.");
    const [earlierIds, laterIds] = [earlier.map((each) => each.earlier_id), later.map((each) => each.account_id)];
    const emails = await emailsOf(store, [...earlierIds, ...laterIds, ...unlinks.map((each) => each.from_account_id)]);
    const describe = (id: string) => ({ account_id: id, email: emails.get(id) ?? null });
    return {
      changed_at: payee ? isoTime(payee.updated_at) : null,
      usable_from: payee && payee.usable_from > nowMs() ? isoTime(payee.usable_from) : null,
      linked_to: earlierIds.toSorted().map(describe),
      linked_from: laterIds.map(describe),
      unlinked: unlinks.map((each) => ({ ...describe(each.from_account_id), at: isoTime(each.unlinked_at), proven: each.proven === 1 })),
    };
  }

  app.get("/accounts/:account_id/payee-state", {
    schema: { hide: true, params: AccountParams, response: { 200: PayeeStateReply } },
    handler: ({ params }) => readState(params.account_id),
  });
  async function decideLink(link: Pick<Unlink, "accountId" | "fromAccountId" | "to" | "reason" | "actorAccountId">): Promise<PayeeStateReply> {
    await readState(link.accountId);
    const outcome = await store.transact<Unlink, UnlinkOutcome>(unlinkModule, { ...link, reason: link.reason.trim(), fourEyes, nowMs: nowMs() });
    if (outcome !== "unlinked" && outcome !== "relinked") throw new Failure("invalid_request", refusalTexts[outcome]);
    wakeMailer();
    return readState(link.accountId);
  }

  app.post("/accounts/:account_id/unlink", {
    schema: { hide: true, params: AccountParams, body: UnlinkRequest, response: { 200: PayeeStateReply } },
    handler: ({ signedIn: { accountId: actorAccountId }, params, body: { from, reason, proven } }) =>
      decideLink({ accountId: params.account_id, fromAccountId: from, to: proven === true ? "prove" : "unlink", reason, actorAccountId }),
  });
  app.post("/accounts/:account_id/relink", {
    schema: { hide: true, params: AccountParams, body: RelinkRequest, response: { 200: PayeeStateReply } },
    handler: ({ signedIn: { accountId: actorAccountId }, params, body: { from, reason } }) =>
      decideLink({ accountId: params.account_id, fromAccountId: from, to: "relink", reason, actorAccountId }),
  });
  app.get("/payee-changes", {
    schema: { hide: true, response: { 200: PayeeChangesReply } },
    async handler() {
      const rows = await selectChangedPayees(store.db, { sinceMs: nowMs() - changesShownMs, limit: changesShown }).execute();
      return { changes: rows.map((row) => ({ account_id: row.account_id, email: row.email, changed_at: isoTime(row.updated_at), usable_from: isoTime(row.usable_from) })) };
    },
  });
}
