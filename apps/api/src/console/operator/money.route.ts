import {
  ApprovePayoutsReply,
  ApprovePayoutsRequest,
  CandidatesReply,
  ExportPayoutsRequest,
  FundingReply,
  FundingRequest,
  MoneyReply,
  MovePayoutRequest,
  MovedPayout,
  type Payout,
  PayoutParams,
  PayoutsQuery,
  PayoutsReply,
  ProposeReply,
  ReasonRequest,
} from "@assay/contract/dashboard/operator.ts";
import { Failure } from "../../failure/failure.ts";
import { microUsdOf, usdOf } from "../../formats/money.ts";
import { isoTime, isoTimeOrNull } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { demoMoney } from "../../money/ledger/pools.ts";
import { exportAgain, exportPayouts } from "../../money/payouts/export-payouts.ts";
import { findDemoAccounts } from "../../money/payouts/find-demo-accounts.ts";
import { waitReasonTexts } from "../../money/payouts/money-states.ts";
import { describeOutcome, explainDespite, explainMove, movePayouts, movePayoutTo } from "../../money/payouts/move-payouts.ts";
import type { PayoutMove, PayoutMoveOutcome } from "../../money/payouts/move-payouts.work.ts";
import { selectPayouts } from "../../money/payouts/payouts.table.ts";
import { fundPlatform } from "../../money/payouts/platform-money.ts";
import { type Candidate, dueReasonOf, listCandidates, proposePayouts } from "../../money/payouts/propose-payouts.ts";
import type { NotProposed } from "../../money/payouts/propose-payouts.work.ts";
import { describeStates } from "../../money/payouts/read-balance.ts";
import type { PayoutRecord } from "../../store/schema-payouts.ts";
import { readerOf } from "../../store/store.ts";
import { emailsOf } from "./emails-of.ts";
import type { OperatorContext } from "./operator-context.ts";
import { readMoney } from "./read-money.ts";

const payoutsShown = 500;

const describePayout = (payout: PayoutRecord, emails: ReadonlyMap<string, string>, demo: ReadonlySet<string>): Payout => ({
  id: payout.id,
  account_id: payout.account_id,
  email: emails.get(payout.account_id) ?? null,
  month: payout.month,
  amount_usd: usdOf(payout.amount_micro),
  status: payout.status,
  proposed_at: isoTime(payout.proposed_at),
  approved_at: isoTimeOrNull(payout.approved_at),
  exported_at: isoTimeOrNull(payout.exported_at),
  paid_at: isoTimeOrNull(payout.paid_at),
  returned_at: isoTimeOrNull(payout.returned_at),
  cancelled_at: isoTimeOrNull(payout.cancelled_at),
  proposed_by: payout.proposed_by && (emails.get(payout.proposed_by) ?? payout.proposed_by),
  approved_by: payout.approved_by && (emails.get(payout.approved_by) ?? payout.approved_by),
  export_id: payout.export_id,
  note: payout.note,
  payout_seq: payout.payout_seq,
  returned_seq: payout.returned_seq,
  demo: demo.has(payout.account_id),
});

const describeWaiting = ({ accountId, email, amountMicroUsd, reason }: Omit<NotProposed, "reason"> & { reason: NotProposed["reason"] | undefined }) => ({
  account_id: accountId,
  email,
  amount_usd: usdOf(amountMicroUsd),
  held: reason ?? null,
  held_explained: reason ? waitReasonTexts[reason] : null,
});

/** What could be paid now, or else what waits for its first reason; `not_yet_due` where nothing is due. */
function describeCandidate({ accountId, email, states }: Candidate) {
  const isPayable = states.payableMicroUsd > 0;
  const reason = isPayable ? undefined : (dueReasonOf(states) ?? states.waiting[0]?.reason);
  const amountMicroUsd = isPayable ? states.payableMicroUsd : (states.waiting.find((each) => each.reason === reason)?.microUsd ?? 0);
  return { ...describeWaiting({ accountId, email, amountMicroUsd, reason }), states: describeStates(states) };
}

/** Who may not take the step gets 403. */
function movedOf(outcome: PayoutMoveOutcome): { payout: PayoutRecord; despite: string | null } {
  if (outcome.kind === "moved") return { payout: outcome.payout, despite: explainDespite(outcome.despite) };
  const code = { unknown: "not_found", own_payout: "forbidden", same_operator: "forbidden" } as const;
  throw new Failure(outcome.kind in code ? code[outcome.kind as keyof typeof code] : "invalid_request", explainMove(outcome));
}

function parseAmount(usd: number): number {
  const microUsd = microUsdOf(usd) ?? 0;
  if (microUsd <= 0) throw new Failure("invalid_request", "usd must be more than 0 and have at most six decimals");
  return microUsd;
}

export function addMoneyRoutes(app: TypedApp, context: OperatorContext): void {
  const { store, nowMs, payoutMinimumMicroUsd: minimumMicroUsd, payoutFourEyes: fourEyes } = context;
  const { unreviewedMonthlyMicroUsd, unreviewedTotalMonthlyMicroUsd } = context.growthLimits;
  const rules = { minimumMicroUsd, unreviewedMonthlyMicroUsd, unreviewedTotalMonthlyMicroUsd };
  const actorOf = (actorAccountId: string) => ({ actorAccountId, fourEyes, unreviewedMonthlyMicroUsd, nowMs: nowMs() });
  const describeMoved = async (outcome: PayoutMoveOutcome) => {
    const { payout, despite } = movedOf(outcome);
    return { ...(await describeAll([payout]))[0]!, despite };
  };
  const describeAll = async (payouts: readonly PayoutRecord[]) => {
    const emails = await emailsOf(store, payouts.flatMap((each) => [each.account_id, each.proposed_by ?? [], each.approved_by ?? []].flat()));
    const demo = await findDemoAccounts(readerOf(store), payouts.map((each) => each.account_id));
    return payouts.map((each) => describePayout(each, emails, demo));
  };

  app.get("/money", {
    schema: { hide: true, response: { 200: MoneyReply } },
    handler: () => readMoney(store, { ...rules, nowMs: nowMs(), fourEyes }),
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
      const settings = { ...rules, nowMs: nowMs() };
      const { month, candidates } = await listCandidates(store, settings);
      const demo = await listCandidates(store, settings, demoMoney);
      const describe = (each: Candidate, isDemo: boolean) => ({ ...describeCandidate(each), demo: isDemo });
      return { month: month.name, candidates: [...candidates.map((each) => describe(each, false)), ...demo.candidates.map((each) => describe(each, true))] };
    },
  });
  app.post("/payouts/propose", {
    schema: { hide: true, response: { 200: ProposeReply } },
    async handler({ signedIn }) {
      const options = { ...rules, nowMs: nowMs(), actorAccountId: signedIn.accountId };
      const { month, proposed, waiting } = await proposePayouts(store, options);
      const demo = await findDemoAccounts(readerOf(store), waiting.map((each) => each.accountId));
      return { month: month.name, proposed: await describeAll(proposed), held: waiting.map((each) => ({ ...describeWaiting(each), demo: demo.has(each.accountId) })) };
    },
  });
  const moves: Record<string, PayoutMove["to"]> = { approve: "approved", paid: "paid", return: "returned" };
  for (const [verb, to] of Object.entries(moves)) {
    app.post(`/payouts/:payout_id/${verb}`, {
      schema: { hide: true, params: PayoutParams, body: MovePayoutRequest, response: { 200: MovedPayout } },
      async handler({ signedIn, params, body }) {
        const actor = actorOf(signedIn.accountId);
        return describeMoved(await movePayoutTo(store, { ...actor, payoutId: params.payout_id, to, note: body.note?.trim() || null }));
      },
    });
  }
  app.post("/payouts/:payout_id/cancel", {
    schema: { hide: true, params: PayoutParams, body: ReasonRequest, response: { 200: MovedPayout } },
    async handler({ signedIn, params, body }) {
      const actor = actorOf(signedIn.accountId);
      return describeMoved(await movePayoutTo(store, { ...actor, payoutId: params.payout_id, to: "cancelled", note: body.reason.trim() }));
    },
  });
  app.post("/payouts/approve", {
    schema: { hide: true, body: ApprovePayoutsRequest, response: { 200: ApprovePayoutsReply } },
    async handler({ signedIn, body }) {
      const actor = actorOf(signedIn.accountId);
      const outcomes = await movePayouts(store, { ...actor, payoutIds: body.ids, to: "approved", note: null });
      return { outcomes: body.ids.map((id, index) => describeOutcome(id, outcomes[index]!)) };
    },
  });
  app.post("/payouts/export", {
    schema: { hide: true, body: ExportPayoutsRequest },
    async handler({ signedIn, body }, reply) {
      const actor = actorOf(signedIn.accountId);
      const { csv, exportId, isDemo } = body.again ? await exportAgain(store, body.export_id) : await exportPayouts(store, actor);
      const name = `${isDemo ? "DEMO-" : ""}payouts-${exportId ?? "none"}.csv`;
      return reply.type("text/csv; charset=utf-8").header("content-disposition", `attachment; filename="${name}"`).send(csv);
    },
  });
}
