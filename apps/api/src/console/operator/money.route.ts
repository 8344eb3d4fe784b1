import {
  CandidatesReply,
  ExportPayoutsRequest,
  FundingReply,
  FundingRequest,
  MoneyReply,
  MovePayoutRequest,
  Payout,
  PayoutParams,
  PayoutsQuery,
  PayoutsReply,
  ProposeReply,
} from "@assay/contract/dashboard/operator.ts";
import { Failure } from "../../failure/failure.ts";
import { microUsdOf, usdOf } from "../../formats/money.ts";
import { isoTime, isoTimeOrNull } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { explainMove, exportPayouts, movePayoutTo } from "../../money/payouts/move-payout.ts";
import type { PayoutMove } from "../../money/payouts/move-payout.work.ts";
import { notPayableTexts } from "../../money/payouts/payable.ts";
import { selectPayouts } from "../../money/payouts/payouts.table.ts";
import { fundPlatform } from "../../money/payouts/platform-money.ts";
import { type Candidate, listCandidates, proposePayouts } from "../../money/payouts/propose-payouts.ts";
import type { PayoutRow } from "../../store/schema-payouts.ts";
import { emailsOf } from "./emails-of.ts";
import type { OperatorContext } from "./operator-context.ts";
import { readMoney } from "./read-money.ts";

const payoutsShown = 500;

const describePayout = (payout: PayoutRow, email: string | null): Payout => ({
  id: payout.id,
  account_id: payout.account_id,
  email,
  month: payout.month,
  amount_usd: usdOf(payout.amount_micro),
  status: payout.status,
  proposed_at: isoTime(payout.proposed_at),
  approved_at: isoTimeOrNull(payout.approved_at),
  exported_at: isoTimeOrNull(payout.exported_at),
  paid_at: isoTimeOrNull(payout.paid_at),
  returned_at: isoTimeOrNull(payout.returned_at),
  note: payout.note,
  payout_seq: payout.payout_seq,
  returned_seq: payout.returned_seq,
});

const describeCandidate = ({ accountId, email, amountMicroUsd, held }: Candidate) => ({
  account_id: accountId,
  email,
  amount_usd: usdOf(amountMicroUsd),
  held: held ?? null,
  held_explained: held ? notPayableTexts[held] : null,
});

function parseAmount(usd: number): number {
  const microUsd = microUsdOf(usd) ?? 0;
  if (microUsd <= 0) throw new Failure("invalid_request", "usd must be more than 0 and have at most six decimals");
  return microUsd;
}

export function addMoneyRoutes(app: TypedApp, { store, nowMs, payoutMinimumMicroUsd: minimumMicroUsd }: OperatorContext): void {
  const describeAll = async (payouts: readonly PayoutRow[]) => {
    const emails = await emailsOf(store, payouts.map((each) => each.account_id));
    return payouts.map((each) => describePayout(each, emails.get(each.account_id) ?? null));
  };

  app.get("/money", {
    schema: { hide: true, response: { 200: MoneyReply } },
    handler: () => readMoney(store, { nowMs: nowMs(), minimumMicroUsd }),
  });
  app.post("/funding", {
    schema: { hide: true, body: FundingRequest, response: { 201: FundingReply } },
    async handler({ signedIn, body }, reply) {
      const funding = { microUsd: parseAmount(body.usd), actorAccountId: signedIn.accountId, nowMs: nowMs() };
      return reply.code(201).send(await fundPlatform(store, funding));
    },
  });
  app.get("/payouts", {
    schema: { hide: true, querystring: PayoutsQuery, response: { 200: PayoutsReply } },
    async handler({ query }) {
      const rows = await selectPayouts(store.db, { status: query.status, accountId: undefined, limit: payoutsShown }).execute();
      return { payouts: await describeAll(rows) };
    },
  });
  app.get("/payouts/candidates", {
    schema: { hide: true, response: { 200: CandidatesReply } },
    async handler() {
      const { month, candidates } = await listCandidates(store, { nowMs: nowMs(), minimumMicroUsd });
      return { month: month.name, candidates: candidates.map(describeCandidate) };
    },
  });
  app.post("/payouts/propose", {
    schema: { hide: true, response: { 200: ProposeReply } },
    async handler({ signedIn }) {
      const options = { nowMs: nowMs(), minimumMicroUsd, actorAccountId: signedIn.accountId };
      const { month, proposed, held } = await proposePayouts(store, options);
      return { month: month.name, proposed: await describeAll(proposed), held: held.map(describeCandidate) };
    },
  });
  const moves: Record<string, PayoutMove["to"]> = { approve: "approved", paid: "paid", return: "returned" };
  for (const [verb, to] of Object.entries(moves)) {
    app.post(`/payouts/:payout_id/${verb}`, {
      schema: { hide: true, params: PayoutParams, body: MovePayoutRequest, response: { 200: Payout } },
      async handler({ signedIn, params, body }) {
        const move = { payoutId: params.payout_id, to, note: body.note?.trim() || null, actorAccountId: signedIn.accountId, nowMs: nowMs() };
        const outcome = await movePayoutTo(store, move);
        if (outcome.kind === "unknown") throw new Failure("not_found", explainMove(outcome));
        if (outcome.kind !== "moved") throw new Failure("invalid_request", explainMove(outcome));
        return (await describeAll([outcome.payout]))[0]!;
      },
    });
  }
  app.post("/payouts/export", {
    schema: { hide: true, body: ExportPayoutsRequest },
    async handler({ signedIn, body }, reply) {
      const { csv } = await exportPayouts(store, { nowMs: nowMs(), again: body.again ?? false, actorAccountId: signedIn.accountId });
      const name = `payouts-${isoTime(nowMs()).slice(0, 10)}.csv`;
      return reply.type("text/csv; charset=utf-8").header("content-disposition", `attachment; filename="${name}"`).send(csv);
    },
  });
}
