import type { Mutant } from "./mutant.ts";

const test = "apps/api/src/money/days/days.test.ts";

export const daysMutants: readonly Mutant[] = [
  {
    name: "a day is confirmed a day too early",
    file: "apps/api/src/money/days/settle-calls.ts",
    from: "startOfDay(nowMs - holdDays * msPerDay)",
    to: "startOfDay(nowMs - (holdDays - 1) * msPerDay)",
    killedBy: [test, "are confirmed in order, once each has been over for the hold days, whatever number of nodes does it at once"],
  },
  {
    name: "holds of linked accounts do not keep calls pending",
    file: "apps/api/src/money/holds/find-held-accounts.ts",
    from: "held.has(id) || [...earlierOf.get(id)!].some((earlier) => held.has(earlier))",
    to: "held.has(id)",
    killedBy: [test, "stay pending while a hold or a finding is open on the account, or on one that it is linked to [threat: hold-outwaited]"],
  },
  {
    name: "findings do not keep calls pending",
    file: "apps/api/src/money/holds/find-held-accounts.ts",
    from: "await run(selectAccountsWithFindings(db, withLinked))) held.add",
    to: "await run(selectAccountsWithFindings(db, ['none']))) held.add",
    killedBy: [test, "stay pending while a hold or a finding is open on the account, or on one that it is linked to [threat: hold-outwaited]"],
  },
  {
    name: "a running day can be reversed",
    file: "apps/api/src/money/days/reverse-calls.work.ts",
    from: "if (day + msPerDay > nowMs) return",
    to: "if (day > nowMs) return",
    killedBy: [test, "cannot be reversed while they are running, or once they are confirmed, or without a reason"],
  },
  {
    name: "a confirmed day can be reversed",
    file: "apps/api/src/money/days/reverse-calls.work.ts",
    from: "if (day < confirmedToMs) return",
    to: "if (day < 0) return",
    killedBy: [test, "cannot be reversed while they are running, or once they are confirmed, or without a reason"],
  },
  {
    name: "a whole day is reversed without regard to what was reversed before",
    file: "apps/api/src/money/days/reverse-calls.work.ts",
    from: "calls: calls - (less?.calls ?? 0)",
    to: "calls",
    killedBy: [test, "are reversed in part by sessions, each call once, one entry per day; a whole day then takes what is left"],
  },
  {
    name: "a call is reversed again with a further range",
    file: "apps/api/src/money/days/reverse-calls.work.ts",
    from: "found.filter(({ ref }) => !reversed.has(ref))",
    to: "found",
    killedBy: [test, "are reversed in part by sessions, each call once, one entry per day; a whole day then takes what is left"],
  },
  {
    name: "pending calls are payable",
    file: "apps/api/src/money/payouts/read-account-money.ts",
    from: "((row.pending_calls_before_end ?? 0) - (row.reversed_of_pending_before_end ?? 0))",
    to: "0",
    killedBy: [test, "are pending and not payable until they are confirmed; calls that the developer pays are confirmed at once"],
  },
  {
    name: "a reversal of this month's calls takes from what is due",
    file: "apps/api/src/money/payouts/read-account-money.ts",
    from: "(row.reversed_calls_since ?? 0) +",
    to: "0 +",
    killedBy: [test, "of a month that is not due take nothing from what is due when they are reversed"],
  },
  {
    name: "a day of which nothing is left is confirmed",
    file: "apps/api/src/money/days/settle-days.work.ts",
    from: "sums.calls === reversed?.reversed_calls",
    to: "sums.calls < 0",
    killedBy: [test, "are reversed once, by one entry per share, with the reason for the account and the operator's note"],
  },
  {
    name: "closed months from before days were settled gain lines",
    file: "apps/api/src/money/statements/report-calls.ts",
    from: "return from !== undefined && month.toMs <= from.at;",
    to: "return false;",
    killedBy: ["apps/api/src/money/days/upgrade.test.ts", "has the statements of its closed months to the byte"],
  },
  {
    name: "an account is erased while its calls may be reversed",
    file: "apps/api/src/people/settle-closure.ts",
    from: "pending.calls, pending.clicks]",
    to: "pending.clicks]",
    killedBy: ["apps/api/src/people/close-account.test.ts", "waits for calls that may still be reversed, which nobody gives up before they are confirmed"],
  },
];
