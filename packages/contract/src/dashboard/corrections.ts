/**
 * Deposits and adjustments that an operator books: `GET /dashboard/api/corrections` for the account's own ones, and under
 * `/dashboard/api/operator/accounts/:account_id/`: `GET corrections`, `POST deposits {usd, reason?}` and
 * `POST adjustments {usd, reason, on?}`.
 */
import Type, { type Static } from "typebox";

const usdMax = 1_000_000_000;

/** `earnings` can be paid out; `prepaid` is what calls are charged to where the developer pays. */
const CorrectedMoney = () => Type.Enum(["earnings", "prepaid"], { description: "The money that it changes: what can be paid out, or what calls can be charged to." });

export const Correction = Type.Object({
  ref: Type.String({ description: "Its id." }),
  kind: Type.Enum(["deposit", "adjustment"], { description: "A deposit was paid in; an adjustment corrects." }),
  on: CorrectedMoney(),
  usd: Type.Number({ description: "May be negative." }),
  reason: Type.Union([Type.String(), Type.Null()], { description: "An adjustment always has one." }),
  at: Type.String({ format: "date-time", description: "When it was booked." }),
  seq: Type.Integer({ description: "Number of its ledger entry." }),
});
export type Correction = Static<typeof Correction>;

/** The newest 500, newest first. */
export const CorrectionsReply = Type.Object({
  corrections: Type.Array(Correction),
  spendable_usd: Type.Number({ description: "What calls can be charged to where the developer pays." }),
});
export type CorrectionsReply = Static<typeof CorrectionsReply>;

export const OperatedCorrectionsReply = Type.Object({
  corrections: Type.Array(
    Type.Object({ ...Correction.properties, booked_by: Type.Union([Type.String(), Type.Null()], { description: "The operator's e-mail address; null where a job booked it." }) }),
  ),
  balance_usd: Type.Number({ description: "Everything that the account has: earnings and prepaid money." }),
  spendable_usd: Type.Number(),
});
export type OperatedCorrectionsReply = Static<typeof OperatedCorrectionsReply>;

const Reason = () => Type.String({ minLength: 1, maxLength: 300, pattern: "\\S", description: "The developer reads it, and it is kept for good: it must not name a person." });

export const DepositRequest = Type.Object(
  { usd: Type.Number({ exclusiveMinimum: 0, maximum: usdMax }), reason: Type.Optional(Reason()) },
  { additionalProperties: false },
);
export type DepositRequest = Static<typeof DepositRequest>;

export const AdjustmentRequest = Type.Object(
  { usd: Type.Number({ minimum: -usdMax, maximum: usdMax }), reason: Reason(), on: Type.Optional(CorrectedMoney()) },
  { additionalProperties: false },
);
export type AdjustmentRequest = Static<typeof AdjustmentRequest>;

export const BookedCorrectionReply = Type.Object({
  ref: Type.String(),
  receipt: Type.String(),
  balance_usd: Type.Number(),
  spendable_usd: Type.Number(),
});
export type BookedCorrectionReply = Static<typeof BookedCorrectionReply>;
