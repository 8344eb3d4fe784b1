import type { Mutant } from "./mutant.ts";

const demoMoney = "apps/api/src/money/payouts/demo-money.test.ts";
const covers = "covers payouts of demo accounts only, and real money only real ones, at every step [threat: demo-money]";
const figures = "is in no figure of the installation, and has its own";
const file = "goes to a file of its own, in which every line says DEMO and names no account of a bank";

export const demoMutants: readonly Mutant[] = [
  {
    name: "demo funding is booked as real money",
    file: "apps/api/src/money/payouts/fund.work.ts",
    from: "const accountId = fundingChainOf(pool);",
    to: "const accountId = fundingChainOf({ demo: false && pool.demo });",
    killedBy: [demoMoney, covers],
  },
  {
    name: "a step of a demo payout is covered by real money",
    file: "apps/api/src/money/payouts/move-payouts.work.ts",
    from: "demoIds.has(accountId) ? demoMicroUsd : realMicroUsd",
    to: "demoIds.has(accountId) ? realMicroUsd : realMicroUsd",
    killedBy: [demoMoney, covers],
  },
  {
    name: "demo accounts are proposed with real money",
    file: "apps/api/src/money/payouts/payouts.table.ts",
    from: '    .where("a.demo", "=", Number(page.demo))\n    .where("h.balance_micro", ">", 0)\n    .orderBy',
    to: '    .where("h.balance_micro", ">", 0)\n    .orderBy',
    killedBy: [demoMoney, figures],
  },
  {
    name: "open demo payouts count as promised real money",
    file: "apps/api/src/money/payouts/payouts.table.ts",
    from: '    .where("a.demo", "=", Number(pool.demo))\n    .groupBy("o.status");',
    to: '    .groupBy("o.status");',
    killedBy: [demoMoney, figures],
  },
  {
    name: "what demo accounts earn is in the installation's figures",
    file: "apps/api/src/money/ledger/platform-sums.table.ts",
    from: '    .where("a.demo", "=", Number(pool.demo))\n    .$if(span',
    to: "    .$if(span",
    killedBy: [demoMoney, figures],
  },
  {
    name: "demo payouts are in the bank's file",
    file: "apps/api/src/money/payouts/payouts.table.ts",
    from: '    .$if(page.demo !== undefined, (query) => query.where("a.demo", "=", Number(page.demo)))\n',
    to: "",
    killedBy: [demoMoney, file],
  },
  {
    name: "a demo file names the payee's bank account",
    file: "apps/api/src/money/payouts/export-payouts.ts",
    from: "const payee = isDemo ? demoPayeeOf(stored) : stored;",
    to: "const payee = stored ?? demoPayeeOf(stored);",
    killedBy: [demoMoney, file],
  },
  {
    name: "a held test scenario shows the account's own balance",
    file: "apps/api/src/money/payouts/balance.route.ts",
    from: 'testScenario === "held" ? ',
    to: 'testScenario === "low" ? ',
    killedBy: ["apps/api/src/scoring/test-scenarios.test.ts", "shows the money of an account on hold in balance and statement, whatever the account has"],
  },
  {
    name: "a demo does not reach back into the payable month",
    file: "apps/api/src/cli/demo/plan-demo.ts",
    from: "Math.max(asked, (startOfDay(nowMs) - payableFromMs) / msPerDay + 1)",
    to: "Math.max(asked, 30)",
    killedBy: ["apps/api/src/cli/demo/make-demo.test.ts", "reach back into the month that is payable, whatever the date is"],
  },
  {
    name: "the operator's months begin before the installation",
    file: "apps/api/src/console/operator/read-money.ts",
    from: "back === 0 || toMs > firstMs",
    to: "back >= 0 || toMs > firstMs",
    killedBy: ["apps/api/src/console/operator/operator.test.ts", "shows the months since the first real account, and one on a fresh installation"],
  },
];
