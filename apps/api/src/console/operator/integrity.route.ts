import { IntegrityReply } from "@assay/contract/dashboard/integrity.ts";
import { AccountParams } from "@assay/contract/dashboard/operator.ts";
import { Failure } from "../../failure/failure.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { selectLinkKinds } from "../../register/payees.table.ts";
import { createIntegrityReader } from "../../scoring/traffic/read-integrity.ts";
import { emailsOf } from "./emails-of.ts";
import type { OperatorContext } from "./operator-context.ts";

const linksShown = 100;

/** What tells whether an account's calls are visits of people. */
export function addIntegrityRoutes(app: TypedApp, { store, nowMs }: OperatorContext): void {
  const readIntegrity = createIntegrityReader(store);

  async function listLinked(accountId: string): Promise<IntegrityReply["linked"]> {
    const links = await selectLinkKinds(store.db, { accountId, limit: linksShown }).execute();
    const linked = links.map(({ kind, later_id: laterId, earlier_id: earlierId }) =>
      laterId === accountId ? { account_id: earlierId, earlier: true, kind } : { account_id: laterId, earlier: false, kind },
    );
    const emails = await emailsOf(store, linked.map((each) => each.account_id));
    return linked.map((each) => ({ ...each, email: emails.get(each.account_id) ?? null }));
  }

  app.get("/accounts/:account_id/integrity", {
    schema: { hide: true, params: AccountParams, response: { 200: IntegrityReply } },
    async handler({ params: { account_id: accountId } }) {
      if (!(await selectOwnAccount(store.db, accountId).executeTakeFirst())) throw new Failure("not_found", "No account has this id.");
      return { ...(await readIntegrity(accountId, nowMs())), linked: await listLinked(accountId) };
    },
  });
}
