import type { FaultsByTest } from "./locate.ts";

export const payoutsFaults: FaultsByTest = {
  "apps/api/src/money/payouts/payouts.test.ts": {
    "book no more funding than sums can represent exactly, also concurrently": [
      { means: "funding has no bound", in: "apps/api/src/money/payouts/fund.work.ts", function: "work", change: ["never", "totalMicroUsdMax"] },
    ],
    "book funding in the platform's own chain, and refuse invalid amounts": [
      { means: "negative funding is booked", in: "apps/api/src/money/payouts/platform-money.ts", function: "fundPlatform", change: ["without", "microUsd <= 0"] },
    ],
    "never exceed the funding, and give the reason why each other account is held back": [
      { means: "funding that was promised to payouts is promised again", in: "apps/api/src/money/payouts/platform-money.ts", function: "readPlatformMoneyIn", change: ["replace", "fundingMicroUsd + depositsMicroUsd - paidMicroUsd - underWayMicroUsd", "fundingMicroUsd + depositsMicroUsd - paidMicroUsd"] },
    ],
    "are covered by funding that no payout has used, and by no pending click and no demo account": [
      { means: "paid funding is available again", in: "apps/api/src/money/payouts/platform-money.ts", function: "readPlatformMoneyIn", change: ["replace", "fundingMicroUsd + depositsMicroUsd - paidMicroUsd - underWayMicroUsd", "fundingMicroUsd + depositsMicroUsd - underWayMicroUsd"] },
    ],
    "leave out what was reversed since the month's end": [
      { means: "reversals since the month's end are paid out", in: "apps/api/src/money/payouts/payouts.table.ts", function: "selectMoney", change: ["without", "reversal"] },
    ],
    "go through all statuses, and each movement of money is an entry in the account's chain": [
      { means: "a payout is paid twice", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "statesBefore", change: ["replace", "[\"exported\"]", "[\"exported\", \"paid\"]"] },
      { means: "a proposed payout is paid without approval", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "statesBefore", change: ["replace", "[\"approved\"]", "[\"approved\", \"proposed\"]"] },
      { means: "paying out adds to the balance", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "entryOf", change: ["replace", "isPaid ? -payout.amount_micro : payout.amount_micro", "payout.amount_micro"] },
    ],
    "that are returned before they were paid move no money": [
      { means: "a payout that was never paid gives money back", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "entryOf", change: ["replace", "!(move.to === \"returned\" && payout.status === \"paid\")", "move.to !== \"returned\""] },
    ],
  },
  "apps/api/src/money/payouts/payout-steps.test.ts": {
    "up to the export is refused when what the account can be paid, or the money in hand, no longer covers it": [
      { means: "a payout may exceed what the account can be paid", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "findObjection", change: ["never", "payableMicroUsd < openMicroUsd"] },
      { means: "a step does not look for money in hand", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "findObjection", change: ["never", "availableMicroUsd"] },
    ],
    "up to the export is refused while the account, or one that it is linked to, is held or has a finding [threat: pay-while-held]": [
      { means: "a step does not look for holds", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "findObjection", change: ["drop", "money.facts.hasHold"] },
      { means: "a step does not look for findings", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "findObjection", change: ["drop", "money.facts.hasFinding"] },
      { means: "a linked account evades the hold", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "findObjection", change: ["drop", "money.facts.isLinkedToHeld"] },
    ],
    "up to the export is refused once the payee was changed; what is exported is what was proposed, every time [threat: payee-swapped]": [
      { means: "a changed payee is exported", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "findPayeeReason", change: ["never", "hasPayeeChanged"] },
    ],
    "needs four eyes: nobody approves what it proposed, or acts on a payout of its own or a linked account [threat: approve-own-payout]": [
      { means: "an operator approves what it proposed", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "findPersonalRefusal", change: ["never", "payout.proposed_by"] },
      { means: "an operator acts on its own payout", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "findPersonalRefusal", change: ["drop", "findOwnInterest"] },
    ],
    "that says what the bank did is recorded whatever is held by then, and says why the payout would not leave now [threat: unrecorded-payment]": [
      { means: "a hold keeps the books from saying what the bank paid", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "isFact", change: ["replace", "move.to === \"paid\"", "false"] },
      { means: "what speaks against a payment that was made is not noted", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "noteOf", change: ["replace", "nameOf(despite)", "null"] },
    ],
    "that says what the bank did is recorded by an operator whose bank account the developer names after the export, and no other step is its [threat: unrecorded-payment]": [
      { means: "a developer keeps the books from saying what the bank paid", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "refusal", change: ["replace", "isFact ? undefined : (personal ?? objection)", "personal ?? (isFact ? undefined : objection)"] },
    ],
    "promises the money in hand once when two nodes propose at the same time [threat: promise-twice]": [
      { means: "two proposals promise the same money", in: "apps/api/src/money/payouts/propose-payouts.work.ts", function: "work", change: ["drop", "lockFunding"], needs: "postgres" },
    ],
  },
  "apps/api/src/money/four-eyes/four-eyes.test.ts": {
    "are nobody's about its own account or a linked one, whatever the decision is, but with PAYOUT_FOUR_EYES=off [threat: own-interest]": [
      { means: "an operator changes the hold on a linked account", in: "apps/api/src/money/holds/change-hold.work.ts", function: "work", change: ["drop", "own !== null"] },
      { means: "an operator resumes a linked account", in: "apps/api/src/people/change-status.work.ts", function: "work", change: ["drop", "own !== null"] },
      { means: "an operator changes the tier of a linked account", in: "apps/api/src/people/change-tier.work.ts", function: "work", change: ["drop", "own !== null"] },
      { means: "an operator settles what waits of a linked account", in: "apps/api/src/money/unexamined/decide-waiting.work.ts", function: "work", change: ["drop", "own !== null"] },
      { means: "an operator allows a linked account what waits", in: "apps/api/src/money/unexamined/allow-waiting.work.ts", function: "work", change: ["drop", "own !== null"] },
    ],
    "are refused where the link was being made while the decision was asked for [threat: own-interest]": [
      { means: "an operator's own payee may change while it decides", in: "apps/api/src/money/four-eyes/find-own-interest.ts", function: "lockForDecision", change: ["replace", "ownAccountsOf(actor)", "[]"], needs: "postgres" },
    ],
  },
  "apps/api/src/cli/four-eyes.test.ts": {
    "decide nothing about an account that named the operator's bank account, but with PAYOUT_FOUR_EYES=off [threat: own-interest]": [
      { means: "a command without a name lifts the hold of a suspension", in: "apps/api/src/cli/account.ts", function: "runMove", change: ["replace", "await findWhoActs(store, options.operator)", "{ actorAccountId: null }"] },
    ],
  },
  "apps/api/src/money/payouts/money-states.test.ts": {
    "include a month from the 15th after its end, and name the next such day": [
      { means: "earnings are payable on the 14th", in: "apps/api/src/money/payable-months.ts", function: "daysUntilPayable", change: ["less", "14"] },
    ],
    "never call a deposit or a pending click payable": [
      { means: "deposits are paid out", in: "apps/api/src/money/payouts/money-states.ts", function: "payableUpToMicroUsd", change: ["without", "sums.depositsMicroUsd"] },
    ],
    "count what is in a payout as the first of what is due: none of it is payable again": [
      { means: "what is promised is payable again", in: "apps/api/src/money/payouts/money-states.ts", function: "findMoneyStates", change: ["replace", "payableUpToMicroUsd(sums) - inPayoutMicroUsd", "payableUpToMicroUsd(sums)"] },
    ],
    "name the first reason that applies, from the gravest on, and end with it": [
      { means: "an account with a hold is payable", in: "apps/api/src/money/payouts/money-states.ts", function: "findWaitReason", change: ["drop", "facts.hasHold"] },
    ],
  },
  "apps/api/src/money/days/days.test.ts": {
    "are confirmed in order, once each has been over for the hold days, whatever number of nodes does it at once": [
      { means: "a day is confirmed a day too early", in: "apps/api/src/money/days/settle-calls.ts", function: "settlesBeforeMs", change: ["replace", "holdDays * msPerDay", "(holdDays - 1) * msPerDay"] },
    ],
    "stay pending while a hold or a finding is open on the account, or on one that it is linked to [threat: hold-outwaited]": [
      { means: "holds of linked accounts do not keep calls pending", in: "apps/api/src/money/holds/find-held-accounts.ts", function: "findHeldAccounts", change: ["without", "some"] },
    ],
    "cannot be reversed while they are running, or once they are confirmed, or without a reason": [
      { means: "a running day can be reversed", in: "apps/api/src/money/days/reverse-calls.work.ts", function: "readRemainder", change: ["replace", "day + msPerDay > nowMs", "day > nowMs"] },
      { means: "a confirmed day can be reversed", in: "apps/api/src/money/days/reverse-calls.work.ts", function: "readRemainder", change: ["never", "confirmedToMs"] },
    ],
    "are reversed in part by sessions, each call once, one entry per day; a whole day then takes what is left": [
      { means: "a call is reversed again with a further range", in: "apps/api/src/money/days/reverse-calls.work.ts", function: "readReversibleCalls", change: ["unchain", "filter"] },
    ],
    "are pending and not payable until they are confirmed; calls that the developer pays are confirmed at once": [
      { means: "pending calls are payable", in: "apps/api/src/money/payouts/read-account-money.ts", function: "sumsOf", change: ["replace", "(row.pending_calls_before_end ?? 0) - (row.reversed_of_pending_before_end ?? 0)", "0"] },
    ],
  },
  "apps/api/src/money/growth/find-grants.test.ts": {
    "is 350 USD of 20,000 in the first month and 1,050 in the first two, however much was confirmed, and 3,500 in all [threat: sudden-growth]": [
      { means: "an earlier month counts with what it claimed", in: "apps/api/src/money/growth/find-grants.ts", function: "grantMonths", change: ["replace", "Math.min(confirmedMicroUsd, monthlyMicroUsd)", "confirmedMicroUsd"] },
    ],
    "is 1,050 USD within 90 days of the first earnings, on whatever day of a month they are [threat: last-day-start]": [
      { means: "an account that starts on the 31st doubles twice in 74 days", in: "apps/api/src/money/growth/find-grants.ts", function: "grantMonths", change: ["replace", "isWithin(each, endMs)", "endMs < 0"] },
    ],
    "is 1,050 USD together within 90 days of the earliest earnings, as the months were paid one after the other [threat: last-day-start]": [
      { means: "a later account is paid what an earlier one can still claim", in: "apps/api/src/money/growth/find-grants.ts", function: "takeEarly", change: ["replace", "growthFactor ** countLater(early, month) - 1", "0"] },
    ],
    "is bounded in every month by the first account's allowance, and by 3,500 USD in all, whichever of them earns and whether they know each other or only the first": [
      { means: "linked accounts each have a total of their own", in: "apps/api/src/money/growth/find-grants.ts", function: "grantMonths", change: ["drop", "room.totalMicroUsd"] },
    ],
  },
  "apps/api/src/money/growth/growth.test.ts": {
    "is checked at every step: what was proposed under another limit is not approved or exported": [
      { means: "a payout's later steps do not ask for growth", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "findObjection", change: ["without", "money.growth.waitingMicroUsd"] },
    ],
    "is reviewed by an operator: what waits becomes payable at once up to the sum, which is audited and mailed; nobody reviews its own account": [
      { means: "an operator reviews its own account", in: "apps/api/src/money/growth/set-review.work.ts", function: "work", change: ["drop", "own !== null"] },
    ],
  },
  "apps/api/src/money/payouts/demo-money.test.ts": {
    "covers payouts of demo accounts only, and real money only real ones, at every step [threat: demo-money]": [
      { means: "a step of a demo payout is covered by real money", in: "apps/api/src/money/payouts/move-payouts.work.ts", function: "availableMicroUsd", change: ["replace", "demoMicroUsd", "realMicroUsd"] },
    ],
  },
  "apps/api/src/ads/clicks/settlement.test.ts": {
    "confirms clicks that have been pending long enough, once, and leaves the rest": [
      { means: "clicks are confirmed too soon", in: "apps/api/src/ads/clicks/clicks.table.ts", function: "confirmClicks", change: ["unchain", "c.at"] },
    ],
  },
};
