import type { Mutant } from "./mutant.ts";

const rule = "apps/api/src/money/growth/find-grants.ts";
const ruleTest = "apps/api/src/money/growth/find-grants.test.ts";
const storeTest = "apps/api/src/money/growth/growth.test.ts";

export const growthMutants: readonly Mutant[] = [
  {
    name: "an earlier month counts with what it claimed",
    file: rule,
    from: "bestOwnMicroUsd = Math.max(bestOwnMicroUsd, Math.min(confirmedMicroUsd, allowedMicroUsd));",
    to: "bestOwnMicroUsd = Math.max(bestOwnMicroUsd, confirmedMicroUsd);",
    killedBy: [ruleTest, "never exceeds 350 USD by the first month, 1,050 by the second and 3,500 in all without a review"],
  },
  {
    name: "a never reviewed account is paid without end",
    file: rule,
    from: "Math.min(ownMicroUsd, totalMaxMicroUsd - unreviewedMicroUsd, ...roomsMicroUsd)",
    to: "Math.min(ownMicroUsd, ...roomsMicroUsd)",
    killedBy: [ruleTest, "never exceeds 350 USD by the first month, 1,050 by the second and 3,500 in all without a review"],
  },
  {
    name: "a linked account draws on the earlier one's whole allowance",
    file: rule,
    from: "monthsMicroUsd: grants.map((each) => each.allowedMicroUsd - each.grantedMicroUsd),",
    to: "monthsMicroUsd: grants.map((each) => each.allowedMicroUsd),",
    killedBy: [ruleTest, "is bounded in every month by the first account's allowance, and by 3,500 USD in all, whichever of them earns and whether they know each other or only the first"],
  },
  {
    name: "what one linked account draws is left to the next",
    file: rule,
    from: "room.monthsMicroUsd[index]! -= grantedMicroUsd;",
    to: "void index;",
    killedBy: [ruleTest, "is bounded in every month by the first account's allowance, and by 3,500 USD in all, whichever of them earns and whether they know each other or only the first"],
  },
  {
    name: "linked accounts each have a total of their own",
    file: rule,
    from: "room.totalMicroUsd -= grantedMicroUsd;",
    to: "void room;",
    killedBy: [ruleTest, "is bounded in every month by the first account's allowance, and by 3,500 USD in all, whichever of them earns and whether they know each other or only the first"],
  },
  {
    name: "a link to a reviewed account gives its allowance",
    file: rule,
    from: "Math.min(ownMicroUsd, totalMaxMicroUsd - unreviewedMicroUsd, ...roomsMicroUsd)",
    to: "Math.min(totalMaxMicroUsd - unreviewedMicroUsd, ...(roomsMicroUsd.length > 0 ? roomsMicroUsd : [ownMicroUsd]))",
    killedBy: [ruleTest, "is an account's own sum once it is reviewed itself, and no more than its own limit beside a reviewed one"],
  },
  {
    name: "a review counts from the next month on only",
    file: rule,
    from: "    waitingMicroUsd -= moreMicroUsd;\n  }",
    to: "    latest.grantedMicroUsd -= moreMicroUsd;\n  }",
    killedBy: [ruleTest, "of an account with a review is its standing sum: for the month that was due then, what waits at once, and every later month"],
  },
  {
    name: "a review takes back what was granted",
    file: rule,
    from: "latest.allowedMicroUsd = Math.max(latest.grantedMicroUsd, monthlyMicroUsd);",
    to: "latest.allowedMicroUsd = monthlyMicroUsd;",
    killedBy: [ruleTest, "is never taken back by a review, and the suggested sum is the smallest that leaves nothing waiting"],
  },
  {
    name: "months that were paid before are limited again",
    file: rule,
    from: "isPaidBefore ? Math.max(waitingMicroUsd, paidBefore.monthlyMicroUsd) : (standingMicroUsd ?? allowUnreviewed(index))",
    to: "isPaidBefore ? unreviewedMonthlyMicroUsd : (standingMicroUsd ?? allowUnreviewed(index))",
    killedBy: [ruleTest, "of an account that was paid before is everything up to that month, and its best month since, whenever the upgrade was"],
  },
  {
    name: "what growth does not allow is payable",
    file: "apps/api/src/money/payouts/money-states.ts",
    from: "const allowedMicroUsd = dueMicroUsd - beyondGrowthMicroUsd;",
    to: "const allowedMicroUsd = dueMicroUsd;",
    killedBy: [storeTest, "lets 350 of 20,400 be paid in the first month and 1,050 in two, and what an operator adjusts beside it [threat: sudden-growth]"],
  },
  {
    name: "a payout's later steps do not ask for growth",
    file: "apps/api/src/money/payouts/move-payouts.work.ts",
    from: "if (payableMicroUsd - money.growth.waitingMicroUsd < payout.amount_micro)",
    to: "if (payableMicroUsd < payout.amount_micro)",
    killedBy: [storeTest, "is checked at every step: what was proposed under another limit is not approved, exported or paid"],
  },
  {
    name: "reversed calls count as growth",
    file: "apps/api/src/money/growth/read-growth.ts",
    from: "confirmed.set(row.month, (confirmed.get(row.month) ?? 0) - row.developer_micro);",
    to: "confirmed.set(row.month, confirmed.get(row.month) ?? 0);",
    killedBy: [storeTest, "counts confirmed calls only: what is reversed of a month, or pending, is not part of it"],
  },
  {
    name: "pending calls count as growth",
    file: "apps/api/src/money/growth/growth.table.ts",
    from: '    .whereRef("u.hour", "<", "s.confirmed_to")\n',
    to: "",
    killedBy: [storeTest, "counts confirmed calls only: what is reversed of a month, or pending, is not part of it"],
  },
  {
    name: "all unreviewed accounts together are not bounded",
    file: "apps/api/src/money/payouts/share-out.ts",
    from: "const beyondTotalMicroUsd = Math.max(0, partOf(alone) - shares.unreviewedMicroUsd);",
    to: "const beyondTotalMicroUsd = Math.max(0, partOf(alone) - Number.POSITIVE_INFINITY);",
    killedBy: [storeTest, "is bounded for all unreviewed accounts together: the oldest first, a part if no more is left, also when two nodes propose at once"],
  },
  {
    name: "an operator reviews its own account",
    file: "apps/api/src/money/growth/set-review.work.ts",
    from: "if (accountId === actorAccountId || shared.length > 0)",
    to: "if (shared.length > 1)",
    killedBy: [storeTest, "is reviewed by an operator: what waits becomes payable at once up to the sum, which is audited and mailed; nobody reviews its own account"],
  },
];
