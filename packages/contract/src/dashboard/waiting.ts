/**
 * What an account earned and nobody can examine, so that it waits.
 *
 * The developer's, under `/dashboard/api/`: `GET waiting`, `POST waiting/:waiting_id/statement {text}`.
 *
 * The operator's, under `/dashboard/api/operator/`: `GET waiting`, `POST waiting/:waiting_id/decide {decision, reason}`,
 * `POST accounts/:account_id/waiting-allowance {waiting_reason, daily_usd, reason}`.
 */
import Type, { type Static } from "typebox";

export const waitingReasons = ["repeated_session", "unexamined", "crowded_network"] as const;
export const statementLengthMax = 2_000;

const Reason = () => Type.String({ minLength: 1, maxLength: 300, pattern: "\\S" });
const nullableText = () => Type.Union([Type.String(), Type.Null()]);
const time = () => Type.String({ format: "date-time" });

const waitingFields = {
  id: Type.String(),
  day: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
  reason: Type.Enum([...waitingReasons]),
  items: Type.Integer({ minimum: 0, description: "How many calls, or clicks." }),
  developer_usd: Type.Number({ description: "What they earned." }),
  detail: Type.String({ description: "What was counted, in words." }),
  statement: Type.Union([Type.Object({ text: Type.String(), at: time() }), Type.Null()], { description: "What the developer says it was." }),
  decision: Type.Union([Type.Enum(["settled", "reversed"]), Type.Null()]),
  resolution: Type.Union([Type.String(), Type.Null()], { description: "The reason of the decision." }),
  decided_at: Type.Union([time(), Type.Null()]),
};
export const WaitingEarning = Type.Object(waitingFields);
export type WaitingEarning = Static<typeof WaitingEarning>;

/** What nobody has decided comes first. At most 100. */
export const OwnWaitingReply = Type.Object({ waiting: Type.Array(WaitingEarning) });
export type OwnWaitingReply = Static<typeof OwnWaitingReply>;
export const WaitingParams = Type.Object({ waiting_id: Type.String({ maxLength: 60 }) });
export const StatementRequest = Type.Object({ text: Type.String({ minLength: 1, maxLength: statementLengthMax, pattern: "\\S" }) }, { additionalProperties: false });
export type StatementRequest = Static<typeof StatementRequest>;

const Allowance = Type.Object({ reason: Type.Enum([...waitingReasons]), daily_usd: Type.Number(), note: Type.String(), set_at: time() });

/** What nobody has decided, of all accounts, the largest first. At most 500. */
export const WaitingReply = Type.Object({
  waiting: Type.Array(Type.Object({ ...waitingFields, account_id: Type.String(), email: nullableText(), allowances: Type.Array(Allowance, { description: "What settles by itself for this account, by reason and day." }) })),
});
export type WaitingReply = Static<typeof WaitingReply>;
export const DecideWaitingRequest = Type.Object({ decision: Type.Enum(["settled", "reversed"]), reason: Reason() }, { additionalProperties: false });
export type DecideWaitingRequest = Static<typeof DecideWaitingRequest>;
export const WaitingAllowanceRequest = Type.Object(
  { waiting_reason: Type.Enum([...waitingReasons]), daily_usd: Type.Number({ minimum: 0, maximum: 1_000_000 }), reason: Reason() },
  { additionalProperties: false },
);
export type WaitingAllowanceRequest = Static<typeof WaitingAllowanceRequest>;
