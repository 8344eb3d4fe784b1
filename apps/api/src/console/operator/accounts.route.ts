import {
  AccountParams,
  AccountsQuery,
  AccountsReply,
  DecideTierRequest,
  OperatedAccount,
  ReasonRequest,
  TierRequestBody,
  TierRequestParams,
} from "@assay/contract/dashboard/operator.ts";
import { Failure } from "../../failure/failure.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { changeTier, resumeAccount, suspendAccount } from "../../people/change-account.ts";
import { lastOperatorText } from "../../people/last-operator.ts";
import { selectTierRequest } from "../../register/tier-requests.table.ts";
import type { OperatorContext } from "./operator-context.ts";
import { selectOperatedAccounts } from "./operator.table.ts";

const accountsPerPage = 100;
const ownAccountText = "You cannot do this to your own account, or one that names the same payee.";

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectOperatedAccounts>["execute"]>>[number];

const describeAccount = (row: AccountRow): OperatedAccount => ({
  id: row.id,
  email: row.email,
  tier: row.tier,
  status: row.status,
  verified: row.verified_at !== null,
  operator: row.operator === 1,
  demo: row.demo === 1,
  created_at: isoTime(row.created_at),
  balance_usd: usdOf(row.balance_micro ?? 0),
  open_findings: row.open_findings ?? 0,
  tier_request: row.requested_tier,
  tier_request_id: row.tier_request_id,
});

export function addAccountRoutes(app: TypedApp, context: OperatorContext): void {
  const { store, nowMs, channel, forget, wakeMailer, payoutFourEyes: fourEyes } = context;

  async function findAccount(accountId: string): Promise<AccountRow> {
    const row = await selectOperatedAccounts(store.db, { search: accountId, afterId: "", limit: accountsPerPage }).execute();
    const found = row.find((each) => each.id === accountId);
    if (!found) throw new Failure("not_found", "No account has this id.");
    return found;
  }

  app.get("/accounts", {
    schema: { hide: true, querystring: AccountsQuery, response: { 200: AccountsReply } },
    async handler({ query }) {
      const isAskingForTier = query.only === "tier_requests";
      const page = { search: query.search?.trim() || undefined, afterId: query.after ?? "", limit: accountsPerPage, isAskingForTier };
      const rows = await selectOperatedAccounts(store.db, page).execute();
      return { accounts: rows.map(describeAccount), next: rows.length === accountsPerPage ? rows.at(-1)!.id : null };
    },
  });
  app.get("/accounts/:account_id", {
    schema: { hide: true, params: AccountParams, response: { 200: OperatedAccount } },
    handler: async ({ params }) => describeAccount(await findAccount(params.account_id)),
  });

  const moves = {
    suspend: { from: "active", move: suspendAccount },
    resume: { from: "suspended", move: resumeAccount },
  } as const;
  for (const [verb, { from, move }] of Object.entries(moves)) {
    app.post(`/accounts/:account_id/${verb}`, {
      schema: { hide: true, params: AccountParams, body: ReasonRequest, response: { 200: OperatedAccount } },
      async handler({ signedIn, params, body }) {
        const accountId = params.account_id;
        const account = await findAccount(accountId);
        if (account.status !== from) throw new Failure("invalid_request", `The account is ${account.status}.`);
        if (accountId === signedIn.accountId) throw new Failure("invalid_request", ownAccountText);
        const outcome = await move(store, { accountId, reason: body.reason, actorAccountId: signedIn.accountId, fourEyes, nowMs: nowMs(), channel });
        if (outcome === "own_account") throw new Failure("invalid_request", ownAccountText);
        if (outcome === "last_operator") throw new Failure("invalid_request", lastOperatorText);
        forget(`account:${accountId}`);
        wakeMailer();
        return describeAccount(await findAccount(accountId));
      },
    });
  }

  async function decideTier(change: { accountId: string; tier: string; actorAccountId: string; requestId?: string; isRefusal?: boolean }) {
    const { accountId } = change;
    await findAccount(accountId);
    const { kind } = await changeTier(store, { ...change, fourEyes, nowMs: nowMs(), channel });
    if (kind === "unknown_tier") throw new Failure("invalid_request", "No tier has this name.");
    if (kind === "own_account") throw new Failure("invalid_request", ownAccountText);
    if (kind === "not_pending") throw new Failure("invalid_request", "The request is no longer pending.");
    forget(`account:${accountId}`);
  }

  app.post("/accounts/:account_id/tier", {
    schema: { hide: true, params: AccountParams, body: TierRequestBody, response: { 200: OperatedAccount } },
    async handler({ signedIn, params, body }) {
      await decideTier({ accountId: params.account_id, tier: body.tier, actorAccountId: signedIn.accountId });
      return describeAccount(await findAccount(params.account_id));
    },
  });
  app.post("/tier-requests/:request_id", {
    schema: { hide: true, params: TierRequestParams, body: DecideTierRequest, response: { 200: OperatedAccount } },
    async handler({ signedIn, params, body }) {
      const requestId = params.request_id;
      const request = await selectTierRequest(store.db, requestId).executeTakeFirst();
      if (!request) throw new Failure("not_found", "No tier request has this id.");
      if (request.state !== "pending") throw new Failure("invalid_request", `The request is ${request.state}.`);
      const { account_id: accountId, tier } = request;
      await decideTier({ accountId, tier, requestId, isRefusal: !body.approve, actorAccountId: signedIn.accountId });
      return describeAccount(await findAccount(accountId));
    },
  });
}
