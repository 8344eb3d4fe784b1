/** The operator's console, all under `/dashboard/api/operator/`. Campaigns have a file of their own. */
import Type, { type Static } from "typebox";
import { moneyStates } from "../balance.ts";
import { Durability } from "../operations.ts";

const usd = (description?: string) => Type.Number(description === undefined ? {} : { description });
const time = () => Type.String({ format: "date-time" });
const nullableTime = () => Type.Union([time(), Type.Null()]);
const count = () => Type.Integer({ minimum: 0 });
const nullableText = () => Type.Union([Type.String(), Type.Null()]);

export const reasonLengthMax = 300;
const Reason = () => Type.String({ minLength: 1, maxLength: reasonLengthMax, pattern: "\\S" });

/* GET money, POST funding {usd} */

export const MoneyReply = Type.Object({
  funding_usd: usd("Paid in by the operator."),
  deposits_usd: usd("Paid in by developers for calls, less refunds."),
  advertiser_usd: usd("Valid clicks at their price, less reversals."),
  advertiser_pending_usd: usd("Part from clicks that may still be reversed."),
  charged_usd: usd("Calls that developers pay for."),
  earned_usd: usd("Earned by developers over all time: calls, clicks, adjustments."),
  pending_usd: usd("Part from calls and clicks that may still be reversed."),
  held_usd: usd("Due and not payable now; `states` says why."),
  payable_usd: usd("Can be proposed for payout now."),
  under_way_usd: usd("In payouts that are proposed, approved or exported."),
  paid_usd: usd("Paid out, less returned payouts."),
  margin_usd: usd("The platform's share of clicks, and of calls that the platform did not pay for."),
  states: Type.Object(moneyStates, { description: "The money of all accounts with a balance, by its state." }),
  four_eyes: Type.Enum(["on", "off"], { description: "`off`: one operator may propose and approve, also its own payout (`PAYOUT_FOUR_EYES`)." }),
  available_usd: usd("Funding and deposits that are not committed. Negative: commitments exceed them."),
  payable_month: Type.String({ description: "The last month whose earnings can be paid now, as YYYY-MM." }),
  months: Type.Array(
    Type.Object({
      month: Type.String(),
      closed: Type.Boolean(),
      payable_from: time(),
      calls: count(),
      calls_gross_usd: usd(),
      clicks_gross_usd: usd(),
      developer_usd: usd(),
      platform_usd: usd(),
      paid_usd: usd(),
      funding_usd: usd(),
      deposits_usd: usd(),
    }),
    { description: "The last twelve months at most, the newest first, back to the month of the first account." },
  ),
  demo: Type.Union(
    [Type.Object({ funding_usd: usd(), earned_usd: usd(), under_way_usd: usd(), paid_usd: usd(), available_usd: usd() }), Type.Null()],
    { description: "Money of demo accounts. It is in no other figure and covers no payout of others. Null where there is none." },
  ),
  funding: Type.Array(Type.Object({ ref: Type.String(), at: time(), usd: usd(), receipt: Type.String() }), { description: "The newest 100." }),
});
export type MoneyReply = Static<typeof MoneyReply>;

export const FundingRequest = Type.Object({ usd: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 }) }, { additionalProperties: false });
export type FundingRequest = Static<typeof FundingRequest>;
export const FundingReply = Type.Object({ ref: Type.String(), receipt: Type.String() });

/*
 * GET payouts?status, GET payouts/candidates, POST payouts/propose, POST payouts/:payout_id/{approve,paid,return} {note?},
 * POST payouts/:payout_id/cancel {reason}, POST payouts/approve {ids}, POST payouts/export {again?, export_id?} → CSV
 */

export const payoutStatuses = ["proposed", "approved", "exported", "paid", "returned", "cancelled"] as const;

export const Payout = Type.Object({
  id: Type.String(),
  account_id: Type.String(),
  email: nullableText(),
  month: Type.String(),
  amount_usd: usd(),
  status: Type.Enum([...payoutStatuses]),
  proposed_at: time(),
  approved_at: nullableTime(),
  exported_at: nullableTime(),
  paid_at: nullableTime(),
  returned_at: nullableTime(),
  cancelled_at: nullableTime(),
  proposed_by: nullableText(),
  approved_by: nullableText(),
  export_id: nullableText(),
  note: nullableText(),
  payout_seq: Type.Union([Type.Integer(), Type.Null()], { description: "Number of its entry in the account's chain." }),
  returned_seq: Type.Union([Type.Integer(), Type.Null()]),
  demo: Type.Boolean({ description: "Of a demo account: paid with demo money, which is in no total." }),
});
export type Payout = Static<typeof Payout>;
/** After a step. */
export const MovedPayout = Type.Object({
  ...Payout.properties,
  despite: Type.Union([Type.String(), Type.Null()], { description: "Why a payout that is recorded as paid would not be exported now (its account is held, for example), or that it is the operator's own. Null otherwise." }),
});
export type MovedPayout = Static<typeof MovedPayout>;
export const PayoutsQuery = Type.Object({ status: Type.Optional(Type.Enum([...payoutStatuses])) });
export const PayoutsReply = Type.Object({ payouts: Type.Array(Payout) });
export const PayoutParams = Type.Object({ payout_id: Type.String({ maxLength: 60 }) });
export const MovePayoutRequest = Type.Object({ note: Type.Optional(Type.String({ maxLength: reasonLengthMax })) }, { additionalProperties: false });
export const ExportPayoutsRequest = Type.Object(
  {
    again: Type.Optional(Type.Boolean({ description: "The file of an earlier export once more, byte for byte." })),
    export_id: Type.Optional(Type.String({ maxLength: 60, description: "Which one, with `again`. Default: the last." })),
  },
  { additionalProperties: false },
);
export const payoutsApprovedAtOnceMax = 500;
export const ApprovePayoutsRequest = Type.Object(
  { ids: Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: payoutsApprovedAtOnceMax }) },
  { additionalProperties: false },
);
export const ApprovePayoutsReply = Type.Object({
  outcomes: Type.Array(
    Type.Object({
      id: Type.String(),
      outcome: Type.String({ description: "`approved`, or the reason of the refusal." }),
      message: nullableText(),
    }),
  ),
});
export type ApprovePayoutsReply = Static<typeof ApprovePayoutsReply>;

const Candidate = Type.Object({
  account_id: Type.String(),
  email: Type.String(),
  amount_usd: usd(),
  held: nullableText(),
  held_explained: nullableText(),
  demo: Type.Boolean(),
});
const CandidateWithStates = Type.Object({ ...Candidate.properties, states: Type.Object(moneyStates) });
export const CandidatesReply = Type.Object({ month: Type.String(), candidates: Type.Array(CandidateWithStates) });
export const ProposeReply = Type.Object({ month: Type.String(), proposed: Type.Array(Payout), held: Type.Array(Candidate) });

/* GET accounts?search&after&only, GET accounts/:account_id, POST accounts/:account_id/{suspend,resume} {reason}, POST accounts/:account_id/tier {tier} */

export const OperatedAccount = Type.Object({
  id: Type.String(),
  email: Type.String(),
  tier: Type.String(),
  status: Type.Enum(["active", "suspended", "closed"]),
  verified: Type.Boolean(),
  operator: Type.Boolean(),
  demo: Type.Boolean(),
  created_at: time(),
  balance_usd: usd(),
  open_findings: count(),
  tier_request: nullableText(),
  tier_request_id: nullableText(),
});
export type OperatedAccount = Static<typeof OperatedAccount>;
export const AccountsQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 254, description: "Part of the e-mail address, or an id." })),
  after: Type.Optional(Type.String({ maxLength: 60, description: "The last id of the previous page." })),
  only: Type.Optional(Type.Enum(["tier_requests"], { description: "Only accounts whose tier request awaits a decision." })),
});
export const AccountsReply = Type.Object({ accounts: Type.Array(OperatedAccount), next: nullableText() });
export const AccountParams = Type.Object({ account_id: Type.String({ maxLength: 60 }) });
export const ReasonRequest = Type.Object({ reason: Reason() }, { additionalProperties: false });

/* POST accounts/:account_id/{hold,lift-hold} {reason}, GET accounts/:account_id/holds */

export const Hold = Type.Object({
  id: Type.String(),
  kind: Type.Enum(["suspension", "operator"], { description: "`suspension` is opened by suspending the account." }),
  reason: Type.String(),
  opened_by: Type.String({ description: "The operator's address, or `command line`." }),
  opened_at: time(),
  lifted_by: nullableText(),
  lifted_at: nullableTime(),
  lift_reason: nullableText(),
});
export type Hold = Static<typeof Hold>;
export const HoldsReply = Type.Object({ holds: Type.Array(Hold, { description: "The newest 100, open and lifted." }) });
export type HoldsReply = Static<typeof HoldsReply>;

/* GET accounts/:account_id/payee-state, POST accounts/:account_id/unlink {from, reason, proven}, POST accounts/:account_id/relink {from, reason}, GET payee-changes */

const LinkedAccount = Type.Object({ account_id: Type.String(), email: nullableText() });
export const PayeeStateReply = Type.Object({
  changed_at: Type.Union([time(), Type.Null()], { description: "Null: there is no payee profile." }),
  usable_from: Type.Union([time(), Type.Null()], { description: "A change of bank account, method or tax id rests until then. Null: it does not rest." }),
  linked_to: Type.Array(LinkedAccount, { description: "Named the same bank account or tax id earlier. This account shares their holds." }),
  linked_from: Type.Array(LinkedAccount, { description: "Named it later: the first 100. They have no effect on this account." }),
  unlinked: Type.Array(Type.Object({ account_id: Type.String(), email: nullableText(), at: time(), proven: Type.Boolean() }), {
    description: "From which accounts an operator unlinked this one, newest first. Proven: it showed that what both named is its own, and the other one is linked to it instead.",
  }),
});
export type PayeeStateReply = Static<typeof PayeeStateReply>;
export const UnlinkRequest = Type.Object({ from: Type.String({ maxLength: 60 }), reason: Reason(), proven: Type.Optional(Type.Boolean()) }, { additionalProperties: false });
export type UnlinkRequest = Static<typeof UnlinkRequest>;
export const RelinkRequest = Type.Object({ from: Type.String({ maxLength: 60 }), reason: Reason() }, { additionalProperties: false });
export type RelinkRequest = Static<typeof RelinkRequest>;
export const PayeeChangesReply = Type.Object({
  changes: Type.Array(Type.Object({ account_id: Type.String(), email: Type.String(), changed_at: time(), usable_from: time() }), {
    description: "Whose bank account, method or tax id was changed within the last 30 days; the newest 500.",
  }),
});
export type PayeeChangesReply = Static<typeof PayeeChangesReply>;

export const TierRequestBody = Type.Object({ tier: Type.String({ minLength: 1, maxLength: 40 }) }, { additionalProperties: false });
export const DecideTierRequest = Type.Object({ approve: Type.Boolean() }, { additionalProperties: false });
export const TierRequestParams = Type.Object({ request_id: Type.String({ maxLength: 60 }) });

/* GET accounts/:account_id/clicks, POST clicks/reverse {offer_ids, reason} */

export const PendingClicksReply = Type.Object({
  clicks: Type.Array(
    Type.Object({
      offer_id: Type.String(),
      campaign_id: Type.String(),
      campaign: nullableText(),
      placement: Type.String(),
      trust_band: Type.String(),
      at: time(),
      price_usd: usd(),
      developer_usd: usd(),
    }),
    { description: "The newest 500 that can still be reversed." },
  ),
});
export const clicksReversedAtOnceMax = 500;
export const ReverseClicksRequest = Type.Object(
  { offer_ids: Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: clicksReversedAtOnceMax }), reason: Reason() },
  { additionalProperties: false },
);
export const ReverseClicksReply = Type.Object({
  outcomes: Type.Array(
    Type.Object({ offer_id: Type.String(), outcome: Type.Enum(["reversed", "already_confirmed", "already_reversed", "unknown", "own_account"]) }),
  ),
});

/* GET audit?before, GET audit.csv, GET system */

const auditFilters = {
  actor: Type.Optional(Type.String({ maxLength: 254, description: "Who acted: an address, an account's id, or `command line`." })),
  action: Type.Optional(Type.String({ maxLength: 60, description: "An action, or with a dot at its end all that begin so: `payout.`" })),
  account: Type.Optional(Type.String({ maxLength: 254, description: "The account concerned: its address or id." })),
  from: Type.Optional(Type.String({ maxLength: 40 })),
  to: Type.Optional(Type.String({ maxLength: 40 })),
};
export const AuditCsvQuery = Type.Object(auditFilters);
export const AuditQuery = Type.Object({ ...auditFilters, before: Type.Optional(Type.String({ maxLength: 60 })) });
export const AuditReply = Type.Object({
  actions: Type.Array(
    Type.Object({
      id: Type.String(),
      at: time(),
      actor: Type.String({ description: "The operator's address, or `command line`." }),
      action: Type.String(),
      subject: Type.String(),
      account: Type.Union([Type.String(), Type.Null()], { description: "The address of the account concerned, or its id once it is erased." }),
      account_id: Type.Union([Type.String(), Type.Null()]),
      detail: Type.Record(Type.String(), Type.Unknown()),
      seq: Type.Union([Type.Integer(), Type.Null()], { description: "Its place in the chain; null for a moment in an upgrade." }),
      hash: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  chain: Type.Object({ seq: count(), hash: Type.String(), unchained: count() }, { description: "The end of the chain: whoever keeps it can show later that nothing before was changed." }),
  next: nullableText(),
});

export const SystemReply = Type.Object({
  version: Type.String(),
  model_version: Type.String(),
  store: Type.Enum(["sqlite", "postgres"]),
  limits: Type.String({ description: "Where limits are counted: `memory`, `redis`, or `memory (Redis is away)`." }),
  uptime_seconds: Type.Number(),
  memory_bytes: count(),
  commit_queue: count(),
  migrations: Type.Array(Type.String()),
  durability: Durability,
  jobs: Type.Array(
    Type.Object({
      name: Type.String(),
      state: Type.Enum(["running", "waiting", "failing"]),
      holder: nullableText(),
      started_at: nullableTime(),
      last_run_at: nullableTime(),
      last_success_at: nullableTime(),
      last_duration_ms: Type.Union([Type.Number(), Type.Null()]),
      last_result: nullableText(),
      failures: count(),
      next_run_at: time(),
    }),
  ),
  mail: Type.Object({ transport: Type.String(), waiting: count(), failed: count() }),
  tracking_keys: Type.Array(Type.Object({ id: Type.String(), created_at: time(), retired_at: nullableTime() })),
});
export type SystemReply = Static<typeof SystemReply>;

export type PayoutsReply = Static<typeof PayoutsReply>;
export type CandidatesReply = Static<typeof CandidatesReply>;
export type ProposeReply = Static<typeof ProposeReply>;
export type AccountsReply = Static<typeof AccountsReply>;
export type PendingClicksReply = Static<typeof PendingClicksReply>;
export type ReverseClicksReply = Static<typeof ReverseClicksReply>;
export type AuditFilters = Static<typeof AuditCsvQuery>;
export type AuditReply = Static<typeof AuditReply>;
