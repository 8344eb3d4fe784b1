/**
 * Whether calls are paid for: days, reversals, findings, evidence and reviews.
 *
 * The developer's, under `/dashboard/api/`: `GET call-days`, `GET findings`, `POST findings/:finding_id/answer {text}`,
 * `POST findings/:finding_id/accept {}`.
 *
 * The operator's, under `/dashboard/api/operator/`: `GET findings`, `POST findings {account_id, reason, days?}`,
 * `POST findings/:finding_id/decide {decision, reason, reverse?}`, `POST findings/:finding_id/reopen {reason}`,
 * `GET accounts/:account_id/integrity`, `GET accounts/:account_id/call-days`, `POST accounts/:account_id/reverse-calls`,
 * `GET reviews`, `POST accounts/:account_id/review {monthly_usd, reason}`.
 */
import Type, { type Static } from "typebox";

const time = () => Type.String({ format: "date-time" });
const nullableTime = () => Type.Union([time(), Type.Null()]);
const nullableText = () => Type.Union([Type.String(), Type.Null()]);
const nullableNumber = () => Type.Union([Type.Number(), Type.Null()]);
const attestedShare = () => Type.Union([Type.Number(), Type.Null()], { description: "Attested calls among the scoring calls of the last 30 days; null without calls." });
const count = () => Type.Integer({ minimum: 0 });
const day = () => Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
export const reasonLengthMax = 300;
const Reason = () => Type.String({ minLength: 1, maxLength: reasonLengthMax, pattern: "\\S" });

/* Days of calls */

export const CallReversal = Type.Object({
  ref: Type.String({ description: "`day:YYYY-MM-DD`, with `#n` where a part of the day was reversed." }),
  seq: Type.Integer({ description: "Number of its ledger entry." }),
  at: Type.String({ format: "date-time", description: "When it was booked." }),
  share_percent: Type.Number({ description: "The developer's share when the calls were made." }),
  calls: Type.Integer({ minimum: 0, description: "How many calls." }),
  gross_usd: Type.Number({ description: "The price of the calls, as a positive number." }),
  developer_usd: Type.Number({ description: "What was taken back from the developer, as a positive number." }),
  reason: Type.String({ description: "Why, as the operator or the finding says." }),
});
export type CallReversal = Static<typeof CallReversal>;
export const CallDay = Type.Object({
  day: day(),
  state: Type.Enum(["pending", "confirmed", "reversed"]),
  calls: count(),
  developer_usd: Type.Number({ description: "What the day's calls earned before reversals." }),
  reversed_usd: Type.Number(),
  /** Null where it was confirmed before days were settled. */
  settled_at: nullableTime(),
  confirms_at: Type.Union([time(), Type.Null()], { description: "For a pending day: when it is confirmed at the earliest." }),
  reversals: Type.Array(CallReversal),
});
export type CallDay = Static<typeof CallDay>;
/** The newest 62 days with calls that the platform pays, newest first. */
export const CallDaysReply = Type.Object({ days: Type.Array(CallDay), hold_days: count(), pending_usd: Type.Number() });
export type CallDaysReply = Static<typeof CallDaysReply>;

/** One whole day, or the calls of a range of sessions: one reversal per day. Both ends are included. */
export const ReverseCallsRequest = Type.Union([
  Type.Object({ day: day(), reason: Reason() }, { additionalProperties: false }),
  Type.Object({ from_session: Type.String({ maxLength: 60 }), to_session: Type.String({ maxLength: 60 }), reason: Reason() }, { additionalProperties: false }),
]);
export type ReverseCallsRequest = Static<typeof ReverseCallsRequest>;
export const ReverseCallsReply = Type.Object({
  reversals: Type.Array(CallReversal),
  calls: count(),
  developer_usd: Type.Number(),
  /** Calls of the range that could not be reversed. */
  skipped_calls: count(),
});
export type ReverseCallsReply = Static<typeof ReverseCallsReply>;

/* Findings */

export const answerLengthMax = 2_000;
export const findingDecisions = ["upheld", "dismissed"] as const;

const findingFields = {
  id: Type.String(),
  code: Type.String({ description: "The check that opened it; `operator` where an operator did." }),
  title: Type.String({ description: "The check's name in words." }),
  detail: Type.String({ description: "What was found, in words." }),
  statistic: nullableNumber(),
  threshold: nullableNumber(),
  days: Type.Array(day()),
  sessions: Type.Array(Type.String(), { maxItems: 20, description: "Examples, at most 20." }),
  opened_at: time(),
  overdue_at: Type.Union([time(), Type.Null()], { description: "From when an open one is overdue; null once it is closed." }),
  answer: Type.Union([Type.Object({ text: Type.String(), at: time() }), Type.Null()]),
  closed_at: nullableTime(),
  decision: Type.Union([Type.Enum(["upheld", "dismissed", "accepted"]), Type.Null()]),
  resolution: Type.Union([Type.String(), Type.Null()], { description: "The reason of the decision." }),
};
export const OwnFinding = Type.Object({
  ...findingFields,
  /** What accepting it would reverse; null where it cannot be accepted. */
  accept: Type.Union([Type.Object({ calls: count(), developer_usd: Type.Number() }), Type.Null()]),
  /** Why it cannot be accepted; null where it can, and for a closed one. */
  accept_refused: nullableText(),
});
export type OwnFinding = Static<typeof OwnFinding>;
export const OwnFindingsReply = Type.Object({ findings: Type.Array(OwnFinding) });
export type OwnFindingsReply = Static<typeof OwnFindingsReply>;
export const AnswerFindingRequest = Type.Object({ text: Type.String({ minLength: 1, maxLength: answerLengthMax, pattern: "\\S" }) }, { additionalProperties: false });
export type AnswerFindingRequest = Static<typeof AnswerFindingRequest>;
export const AcceptFindingRequest = Type.Object({}, { additionalProperties: false });

export const Finding = Type.Object({
  ...findingFields,
  account_id: Type.String(),
  email: nullableText(),
  opened_by: Type.Union([Type.String(), Type.Null()], { description: "The operator's e-mail address; null where a check opened it." }),
  decided_by: nullableText(),
  overdue: Type.Boolean(),
});
export type Finding = Static<typeof Finding>;
/** Open findings first, the oldest first; then closed ones, the newest first. At most 500. */
export const FindingsReply = Type.Object({ findings: Type.Array(Finding) });
export type FindingsReply = Static<typeof FindingsReply>;
export const FindingParams = Type.Object({ finding_id: Type.String({ maxLength: 60 }) });
export const OpenFindingRequest = Type.Object(
  { account_id: Type.String({ maxLength: 60 }), reason: Reason(), days: Type.Optional(Type.Array(day(), { maxItems: 62 })) },
  { additionalProperties: false },
);
export type OpenFindingRequest = Static<typeof OpenFindingRequest>;
/** `reverse` concerns what is still pending: the matching sessions of the finding's days, those days as a whole, or nothing. */
export const DecideFindingRequest = Type.Object(
  { decision: Type.Enum([...findingDecisions]), reason: Reason(), reverse: Type.Optional(Type.Enum(["sessions", "days", "nothing"])) },
  { additionalProperties: false },
);
export type DecideFindingRequest = Static<typeof DecideFindingRequest>;
export const DecideFindingReply = Type.Object({
  ...FindingsReply.properties,
  reversed_calls: count(),
  reversed_usd: Type.Number({ description: "What was taken back of the developer's share, as a positive number." }),
});
export type DecideFindingReply = Static<typeof DecideFindingReply>;
export const ReopenFindingRequest = Type.Object({ reason: Reason() }, { additionalProperties: false });

/* Evidence */

export const evidenceThreshold = 1_000;

export const IntegrityReply = Type.Object({
  threshold: Type.Number(),
  evidence: Type.Array(
    Type.Object({
      day: day(),
      total: Type.Number({ description: "The account's evidence after this day: the weighted mean over the checks." }),
      checks: Type.Array(Type.Object({ check: Type.String(), evidence: Type.Number(), factor: Type.Number(), tested: count(), hits: count() })),
    }),
    { description: "The newest 92 days with evidence, oldest first." },
  ),
  notices: Type.Array(Type.Object({ day: day(), code: Type.String(), statistic: Type.Number(), message: Type.String() }), { description: "The newest 100." }),
  networks: Type.Union(
    [
      Type.Object({
        calls: Type.Integer({ minimum: 1, description: "Attested calls." }),
        networks: Type.Integer({ minimum: 0, description: "Networks on the day with most of them, at least." }),
        top_share: Type.Number({ description: "Share of the calls that came from the most frequent network of their day, at most." }),
      }),
      Type.Null(),
    ],
    { description: "Where the attested calls of the last 30 days came from. Null without any." },
  ),
  /** Shares of sessions in the last 7 days, this account's beside all others'. Null where there are no sessions. */
  scores: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), own: nullableNumber(), others: nullableNumber() })),
  signals: Type.Array(
    Type.Object({
      signal: Type.String(),
      present: Type.Number({ description: "Share of the sessions that had it." }),
      bins: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), own: nullableNumber(), others: nullableNumber() })),
    }),
  ),
  duplicates: Type.Array(
    Type.Object({ signals: Type.Record(Type.String(), Type.Union([Type.Number(), Type.Boolean()])), sessions: count(), share: Type.Number() }),
    { description: "The most frequent sessions of the last 7 days, at most 5." },
  ),
  linked: Type.Array(Type.Object({ account_id: Type.String(), email: nullableText(), earlier: Type.Boolean(), kind: Type.Enum(["bank", "tax"]) })),
  attested_share: attestedShare(),
});
export type IntegrityReply = Static<typeof IntegrityReply>;

/* Reviews of growth */

export const ReviewsReply = Type.Object({
  unreviewed_monthly_usd: Type.Number(),
  /** Accounts whose money waits for a review: the oldest and largest first. */
  waiting: Type.Array(
    Type.Object({
      account_id: Type.String(),
      email: Type.String(),
      demo: Type.Boolean({ description: "Demo accounts come last: their money is in no total." }),
      waiting_usd: Type.Number(),
      since_month: Type.String({ description: "The oldest month of which something waits, as YYYY-MM." }),
      suggested_monthly_usd: Type.Number({ description: "The smallest standing sum that makes everything payable that waits now." }),
      allowed_monthly_usd: Type.Number({ description: "What may become payable for the latest due month now." }),
      months: Type.Array(Type.Object({ month: Type.String(), confirmed_usd: Type.Number(), granted_usd: Type.Number() }), { description: "The newest 12, oldest first." }),
      evidence: Type.Number(),
      notices: Type.Array(Type.String(), { description: "Codes of the last 30 days." }),
      open_findings: count(),
      attested_share: attestedShare(),
      earlier_accounts: Type.Array(Type.String(), { description: "Accounts that it is linked to." }),
    }),
  ),
  reviewed: Type.Array(
    Type.Object({
      account_id: Type.String(),
      email: Type.String(),
      monthly_usd: Type.Number(),
      reason: Type.String(),
      reviewed_by: nullableText(),
      reviewed_at: time(),
      /** Whether it counts as reviewed because it was paid before growth was limited. */
      from_before: Type.Boolean(),
    }),
    { description: "The newest review of each account, newest first, at most 500." },
  ),
});
export type ReviewsReply = Static<typeof ReviewsReply>;
export const ReviewRequest = Type.Object({ monthly_usd: Type.Number({ minimum: 0, maximum: 10_000_000 }), reason: Reason() }, { additionalProperties: false });
export type ReviewRequest = Static<typeof ReviewRequest>;
