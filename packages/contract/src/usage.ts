import Type, { type Static } from "typebox";
import { balanceFields } from "./balance.ts";
import { CallReversal } from "./dashboard/integrity.ts";
import { Correction } from "./dashboard/corrections.ts";

const amounts = {
  calls: Type.Integer({ minimum: 0, description: "Billed calls." }),
  gross_usd: Type.Number({ description: "0.05 per call." }),
  developer_usd: Type.Number({ description: "The developer's share." }),
  platform_usd: Type.Number({ description: "What remains for the platform." }),
};

const endpoint = Type.String({ description: "Endpoint that was called, such as predict." });

export const UsageQuery = Type.Object({
  from: Type.Optional(
    Type.String({ description: "ISO 8601 date or time, UTC unless it has an offset. Default: 30 days before `to`." }),
  ),
  to: Type.Optional(Type.String({ description: "ISO 8601 date or time, exclusive. Default: now." })),
});

/** Live calls in a span of whole hours. */
export const UsageReply = Type.Object(
  {
    from: Type.String({ format: "date-time", description: "Start of the span, on the hour." }),
    to: Type.String({ format: "date-time", description: "End of the span, exclusive." }),
    granularity: Type.Enum(["hour", "day"], { description: "hour for spans of up to two days, day for longer ones." }),
    ...amounts,
    endpoints: Type.Array(Type.Object({ endpoint, ...amounts }), { description: "One item per endpoint that was called." }),
    series: Type.Array(Type.Object({ start: Type.String({ format: "date-time", description: "Start of the hour or day." }), ...amounts }), {
      description: "One item per hour or day that had calls.",
    }),
  },
  {
    $id: "Usage",
    title: "Usage",
    description: "Calls in the span: in total, by endpoint and over time.",
    examples: [
      {
        from: "2026-01-14T00:00:00.000Z",
        to: "2026-01-15T00:00:00.000Z",
        granularity: "hour",
        calls: 2,
        gross_usd: 0.1,
        developer_usd: 0.068,
        platform_usd: 0.032,
        endpoints: [{ endpoint: "predict", calls: 2, gross_usd: 0.1, developer_usd: 0.068, platform_usd: 0.032 }],
        series: [
          { start: "2026-01-14T09:00:00.000Z", calls: 2, gross_usd: 0.1, developer_usd: 0.068, platform_usd: 0.032 },
        ],
      },
    ],
  },
);

export type UsageReply = Static<typeof UsageReply>;

export const StatementParams = Type.Object({
  month: Type.String({ description: "Month in UTC, as YYYY-MM." }),
});

const nullableReceipt = () => Type.Union([Type.String(), Type.Null()], { description: "`<seq>.<hash>`, as calls return it; null if the month has no entry." });

const StatementCheckpoint = Type.Object({
  origin: Type.String({ description: "Name of the log." }),
  size: Type.Integer({ minimum: 1, description: "Entries that the checkpoint covers." }),
  root: Type.String({ description: "Root of the log at that size, in base64." }),
  logged_at: Type.String({ format: "date-time", description: "When it was signed." }),
  note: Type.String({ description: "The signed checkpoint (C2SP tlog-checkpoint)." }),
});

export const StatementReply = Type.Object(
  {
    month: Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "Month in UTC." }),
    ...amounts,
    charged_usd: Type.Number({ description: "Amount charged to the developer; 0 if the platform pays for calls." }),
    balance_usd: Type.Number({ description: "Current balance of the account, over all months." }),
    balance: Type.Optional(Type.Object(balanceFields, { description: "The account's money by its state, as of now." })),
    lines: Type.Array(
      Type.Object({
        endpoint,
        payer: Type.Enum(["platform", "developer"], { description: "Who paid for the calls." }),
        share_percent: Type.Number({ description: "The developer's share when the calls were made." }),
        ...amounts,
      }),
      { description: "One line per endpoint, payer and rate." },
    ),
    ads: Type.Object(
      {
        clicks: Type.Integer({ minimum: 0, description: "Paid clicks of the month, including reversed ones." }),
        developer_usd: Type.Number({ description: "The developer's share of these clicks, less the month's reversals." }),
        pending_usd: Type.Number({ description: "Part from clicks of the month that may still be reversed." }),
        confirmed_usd: Type.Number({ description: "Part from clicks of the month that can no longer be reversed." }),
        reversed_usd: Type.Number({ description: "Reversed in the month." }),
      },
      { description: "Earnings from ads." },
    ),
    calls_settlement: Type.Optional(
      Type.Object(
        {
          pending_usd: Type.Number({ description: "May still be reversed." }),
          confirmed_usd: Type.Number({ description: "Can no longer be reversed." }),
          reversed_usd: Type.Number({ description: "Was reversed." }),
        },
        {
          description:
            "The developer's share of the month's calls that the platform pays, as of the month's end; for the current month, now. Absent in statements of months that ended before calls were settled by the day.",
        },
      ),
    ),
    call_reversals: Type.Optional(Type.Array(CallReversal, { description: "The reversals of calls that were booked in the month, with their reasons, the first 500." })),
    held: Type.Optional(
      Type.Array(
        Type.Object({
          by: Type.Enum(["held", "finding_open"], { description: "An operator's hold, or an open finding." }),
          reason: Type.String({ description: "Why." }),
          since: Type.String({ format: "date-time", description: "Since when." }),
        }),
        { description: "What held the account's money at the month's end; for the current month, now. Empty if nothing did." },
      ),
    ),
    calls_reversed_usd: Type.Number({ description: "Taken back in the month for calls; 0 or more where the platform pays for calls." }),
    deposits_usd: Type.Number({ description: "Paid in for calls in the month." }),
    adjustments_usd: Type.Number({ description: "Corrections by the operator; may be negative." }),
    corrections: Type.Array(Correction, { description: "The month's deposits and adjustments with their reasons, the first 500." }),
    prepaid: Type.Object(
      { opening_usd: Type.Number({ description: "At the start of the month." }), closing_usd: Type.Number({ description: "At its end; for the current month, so far." }) },
      { description: "The part of the balance that calls are charged to and that is never paid out: deposits, adjustments and shares, less what calls cost." },
    ),
    payouts: Type.Object(
      {
        paid_usd: Type.Number({ description: "Paid out in the month." }),
        returned_usd: Type.Number({ description: "Payouts returned in the month." }),
      },
      { description: "Payouts from the account." },
    ),
    movements: Type.Array(
      Type.Object({
        kind: Type.Enum(["click", "funding", "deposit", "adjustment", "reversal", "payout", "payout_returned"], { description: "Kind of the ledger entries." }),
        entries: Type.Integer({ minimum: 0, description: "Number of entries." }),
        gross_usd: Type.Number({ description: "Their total amount." }),
        developer_usd: Type.Number({ description: "The developer's share of it." }),
        platform_usd: Type.Number({ description: "The platform's share of it." }),
        balance_change_usd: Type.Number({ description: "Change of the account's balance." }),
      }),
      { description: "Everything except calls, by kind. Opening balance, calls and movements add up to the closing balance." },
    ),
    opening_balance_usd: Type.Number({ description: "Balance at the start of the month." }),
    closing_balance_usd: Type.Number({ description: "Balance at the end of the month; for the current month, so far." }),
    is_final: Type.Boolean({ description: "Whether the month is over." }),
    entries: Type.Integer({ minimum: 0, description: "Number of ledger entries in the month." }),
    first_receipt: nullableReceipt(),
    last_receipt: nullableReceipt(),
    checkpoint: Type.Optional(
      Type.Union([StatementCheckpoint, Type.Null()], {
        description:
          "The first checkpoint of the log that covers `last_receipt`; null if the entry is not logged yet, or there is none. Absent in statements of months that ended before the log began.",
      }),
    ),
  },
  {
    $id: "Statement",
    title: "Statement",
    description: "The month's figures, equal to the ledger to the micro-dollar. A month without entries has zeros.",
    examples: [
      {
        month: "2026-01",
        calls: 10_000,
        gross_usd: 500,
        developer_usd: 340,
        platform_usd: 160,
        charged_usd: 0,
        balance_usd: 340,
        balance: {
          accrued_usd: 340,
          pending_usd: 0,
          confirmed: { usd: 340, waiting: [], payable_usd: 340, in_payout_usd: 0, paid_usd: 0 },
          owed_usd: 0,
          spendable_usd: 0,
          next_date: "2026-03-15T00:00:00.000Z",
        },
        lines: [
          {
            endpoint: "predict",
            payer: "platform",
            share_percent: 68,
            calls: 10_000,
            gross_usd: 500,
            developer_usd: 340,
            platform_usd: 160,
          },
        ],
        ads: { clicks: 0, developer_usd: 0, pending_usd: 0, confirmed_usd: 0, reversed_usd: 0 },
        calls_settlement: { pending_usd: 153, confirmed_usd: 187, reversed_usd: 0 },
        call_reversals: [],
        held: [],
        calls_reversed_usd: 0,
        deposits_usd: 0,
        adjustments_usd: 0,
        corrections: [],
        prepaid: { opening_usd: 0, closing_usd: 0 },
        payouts: { paid_usd: 0, returned_usd: 0 },
        movements: [],
        opening_balance_usd: 0,
        closing_balance_usd: 340,
        is_final: true,
        entries: 10_000,
        first_receipt: `1.${"3f".repeat(32)}`,
        last_receipt: `10000.${"a7".repeat(32)}`,
        checkpoint: {
          origin: "assay.example.com/assay/Ab3dEf9h",
          size: 109_482,
          root: "sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=",
          logged_at: "2026-01-31T23:59:58.120Z",
          note: "assay.example.com/assay/Ab3dEf9h\n109482\nsFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=\n\n— assay.example.com/assay/Ab3dEf9h hI2DJw==\n",
        },
      },
    ],
  },
);

export type StatementReply = Static<typeof StatementReply>;
