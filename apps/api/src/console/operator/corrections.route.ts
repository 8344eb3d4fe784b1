import { AdjustmentRequest, BookedCorrectionReply, DepositRequest, OperatedCorrectionsReply } from "@assay/contract/dashboard/corrections.ts";
import { AccountParams } from "@assay/contract/dashboard/operator.ts";
import { Failure } from "../../failure/failure.ts";
import { microUsdOf, usdOf } from "../../formats/money.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { bookCorrection, type Correction } from "../../money/corrections/book-correction.ts";
import { selectCorrections } from "../../money/corrections/corrections.table.ts";
import { correctionsShown, describeCorrection } from "../../money/corrections/describe-corrections.ts";
import { selectHead } from "../../money/ledger/ledger.table.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { emailsOf } from "./emails-of.ts";
import type { OperatorContext } from "./operator-context.ts";

export function addCorrectionRoutes(app: TypedApp, context: OperatorContext): void {
  const { store, nowMs, callPayer, payoutFourEyes } = context;

  async function findAccount(accountId: string) {
    const account = await selectOwnAccount(store.db, accountId).executeTakeFirst();
    if (!account) throw new Failure("not_found", "No account has this id.");
    return account;
  }

  async function book(correction: Pick<Correction, "accountId" | "kind" | "on" | "reason" | "actorAccountId"> & { usd: number }) {
    const { usd, ...rest } = correction;
    // An amount with too many decimals is refused as 0 is.
    const booked = await bookCorrection(store, { ...rest, microUsd: microUsdOf(usd) ?? 0, mayCorrectOwn: !payoutFourEyes, nowMs: nowMs() });
    return { ref: booked.ref, receipt: booked.receipt, balance_usd: usdOf(booked.balanceMicroUsd), spendable_usd: usdOf(booked.spendableMicroUsd) };
  }

  app.get("/accounts/:account_id/corrections", {
    schema: { hide: true, params: AccountParams, response: { 200: OperatedCorrectionsReply } },
    async handler({ params: { account_id: accountId } }) {
      await findAccount(accountId);
      const rows = await selectCorrections(store.db, { accountId, limit: correctionsShown }).execute();
      const head = await selectHead(store.db, accountId).executeTakeFirstOrThrow();
      const emails = await emailsOf(store, rows.flatMap((row) => row.actor_account_id ?? []));
      return {
        corrections: rows.map((row) => ({ ...describeCorrection(row), booked_by: emails.get(row.actor_account_id ?? "") ?? null })),
        balance_usd: usdOf(head.balance_micro),
        spendable_usd: usdOf(head.spendable_micro ?? 0),
      };
    },
  });
  app.post("/accounts/:account_id/deposits", {
    schema: { hide: true, params: AccountParams, body: DepositRequest, response: { 201: BookedCorrectionReply } },
    async handler({ signedIn, params, body }, reply) {
      const account = await findAccount(params.account_id);
      if (account.status === "closed") throw new Failure("invalid_request", "The account is closed.");
      const deposit = { accountId: account.id, kind: "deposit", on: "prepaid", usd: body.usd, reason: body.reason, actorAccountId: signedIn.accountId } as const;
      return reply.code(201).send(await book(deposit));
    },
  });
  app.post("/accounts/:account_id/adjustments", {
    schema: { hide: true, params: AccountParams, body: AdjustmentRequest, response: { 201: BookedCorrectionReply } },
    async handler({ signedIn, params, body }, reply) {
      const { id: accountId } = await findAccount(params.account_id);
      const on = body.on ?? (callPayer === "developer" ? "prepaid" : "earnings");
      return reply.code(201).send(await book({ accountId, kind: "adjustment", on, usd: body.usd, reason: body.reason, actorAccountId: signedIn.accountId }));
    },
  });
}
