/**
 * Revenue: `GET /dashboard/api/revenue`; statements: `GET /dashboard/api/statements`, and one month as
 * `/dashboard/api/statements/{YYYY-MM}`, `.csv` or `.pdf` (the JSON is `StatementReply` of ../usage.ts).
 */
import Type, { type Static } from "typebox";
import { balanceFields } from "../balance.ts";

const count = () => Type.Integer({ minimum: 0 });
const time = () => Type.String({ format: "date-time" });

export const RevenueQuery = Type.Object({
  from: Type.Optional(Type.String({ description: "ISO 8601 date or time in UTC. Default: 30 days before `to`." })),
  to: Type.Optional(Type.String({ description: "ISO 8601 date or time in UTC, exclusive. Default: now. At most 366 days after `from`." })),
});

export const AdRevenue = Type.Object({
  clicks: Type.Integer({ minimum: 0, description: "Paid clicks, including reversed ones." }),
  pending_usd: Type.Number({ description: "From clicks that may still be reversed." }),
  confirmed_usd: Type.Number({ description: "From clicks whose hold is over." }),
  reversed_usd: Type.Number({ description: "Reversed; 0 or more." }),
});

export type AdRevenue = Static<typeof AdRevenue>;

export const RevenueReply = Type.Object({
  from: time(),
  to: time(),
  calls: Type.Object({
    count: count(),
    gross_usd: Type.Number(),
    developer_usd: Type.Number(),
    reversed_usd: Type.Number({ description: "Of the developer's share, what was taken back in the span; 0 or more." }),
    charged_usd: Type.Number({ description: "What the developer paid for calls; 0 if the platform pays." }),
  }),
  ads: AdRevenue,
  adjustments_usd: Type.Number({ description: "Corrections of earnings by the operator; may be negative." }),
  prepaid: Type.Object(
    {
      deposits_usd: Type.Number({ description: "Paid in for calls in the span." }),
      adjustments_usd: Type.Number({ description: "Corrections of prepaid money, such as refunds of deposits." }),
      spendable_usd: Type.Number({ description: "What calls can be charged to now." }),
    },
    { description: "Where the developer pays for calls." },
  ),
  paid_usd: Type.Number({ description: "Paid out in the span, less returned payouts." }),
  earned_usd: Type.Number({ description: "Calls and clicks, less reversals, plus adjustments." }),
  balance_usd: Type.Number({ description: "Current balance over all time: earned and not yet paid out, and prepaid money." }),
  balance: Type.Object(balanceFields),
  payout: Type.Object({
    minimum_usd: Type.Number(),
    pending_usd: Type.Number({ description: "From calls and clicks of any time that may still be reversed." }),
    profile_complete: Type.Boolean({ description: "Nothing is paid out without a payee profile." }),
    next_close: Type.String({ format: "date-time", description: "When the current month closes." }),
  }),
  series: Type.Array(
    Type.Object({ start: time(), calls_usd: Type.Number(), ads_usd: Type.Number() }),
    { description: "One item per day (UTC) of the span." },
  ),
});

export type RevenueReply = Static<typeof RevenueReply>;

export const StatementsReply = Type.Object({
  months: Type.Array(
    Type.Object({
      month: Type.String({ description: "YYYY-MM" }),
      is_final: Type.Boolean({ description: "False for the current month." }),
    }),
    { description: "Every month since the account's first entry, newest first." },
  ),
});

export type StatementsReply = Static<typeof StatementsReply>;
