import Type, { type Static } from "typebox";

export const waitReasons = [
  "not_yet_due",
  "below_minimum",
  "payee_missing",
  "payee_changed",
  "linked_account",
  "growth_review",
  "finding_open",
  "held",
  "not_funded",
  "repeated_session",
  "unexamined",
  "crowded_network",
] as const;

/** The states of money: of one account, or of all together. */
export const moneyStates = {
  accrued_usd: Type.Number({ description: "Everything earned: pending_usd + confirmed.usd." }),
  pending_usd: Type.Number({ description: "From calls and clicks that may still be reversed." }),
  confirmed: Type.Object(
    {
      usd: Type.Number({ description: "What waits + payable_usd + in_payout_usd + paid_usd." }),
      waiting: Type.Array(
        Type.Object({
          reason: Type.Enum([...waitReasons], { description: "Why it is not payable yet. It becomes payable as soon as the reason ends." }),
          usd: Type.Number({ description: "The amount." }),
          explained: Type.String({ description: "The reason in a sentence. Not to be matched on." }),
        }),
        { description: "One item per reason." },
      ),
      payable_usd: Type.Number({ description: "Can be proposed for payout now." }),
      in_payout_usd: Type.Number({ description: "In payouts that are proposed, approved or exported." }),
      paid_usd: Type.Number({ description: "Paid out, less what came back." }),
    },
    { description: "What can no longer be reversed." },
  ),
  owed_usd: Type.Number({ description: "Paid, promised or charged beyond what was earned; it is set off against later earnings." }),
};

export const balanceFields = {
  ...moneyStates,
  spendable_usd: Type.Number({ description: "What calls can be charged to where the developer pays for them; never paid out." }),
  next_date: Type.String({ format: "date-time", description: "When more can become payable at the earliest: the next 15th, or the day a changed payee may be paid to." }),
};

export const Balance = Type.Object(balanceFields, {
  $id: "Balance",
  title: "Balance",
  description: "The account's money by its state, as of now. `accrued_usd` less `confirmed.paid_usd` and `owed_usd` is the balance that was earned.",
  examples: [
    {
      accrued_usd: 431.5,
      pending_usd: 1.5,
      confirmed: {
        usd: 430,
        waiting: [{ reason: "not_yet_due", usd: 90, explained: "A month's earnings become payable on the 15th of the next month." }],
        payable_usd: 0,
        in_payout_usd: 340,
        paid_usd: 0,
      },
      owed_usd: 0,
      spendable_usd: 0,
      next_date: "2026-03-15T00:00:00.000Z",
    },
  ],
});

export type Balance = Static<typeof Balance>;
