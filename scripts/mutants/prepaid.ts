import type { Mutant } from "./mutant.ts";

const prepaidTest = "apps/api/src/money/corrections/prepaid.test.ts";
const race = "pass exactly as often as a deposit of 0.50 USD allows when 100 race on two nodes [threat: overdraft]";
const batch = "are decided one by one within a batch, and a refused one stores no answer under its key";
const twoMoneys = "are never the same dollar: earnings cannot be spent, and prepaid money is not paid out [threat: money-twice]";
const once = "is spendable once its hour is over, exactly once however often and wherever it is settled";
const earlierNode = "counts with calls that a node of an earlier version charged, which did not count them";
const readBack = "is read back: what prepaid money did not cover is refused, not charged, and an expired answer is not replayed [threat: free-refusal]";

/** Prepaid calls, corrections, reversals by payer, and the migration that copies the ledger. */
export const prepaidMutants: readonly Mutant[] = [
  {
    name: "SQLite charges a call that prepaid money does not cover",
    file: "apps/api/src/money/ledger/charge-batch.sqlite.ts",
    from: "- grossMicroUsd >= -creditLimitMicroUsd",
    to: "- 0 >= -creditLimitMicroUsd",
    killedBy: [prepaidTest, race],
  },
  {
    name: "SQLite stores a session record of a refused call",
    file: "apps/api/src/money/ledger/charge-batch.sqlite.ts",
    from: "        receipts.push(unwritten);\n        continue;",
    to: "        receipts.push(unwritten);\n        insertRecord.run(...recordTextPlaces.map((index) => texts[text + index]!), ...recordNumberPlaces.map((index) => numbers[number + index]!), null, null, modelVersion, null);\n        continue;",
    killedBy: [prepaidTest, race],
  },
  {
    name: "SQLite forgets calls that an earlier version charged",
    file: "apps/api/src/money/ledger/charge-batch.sqlite.ts",
    from: "spendable_micro: spendable_micro - uncounted.gross_micro",
    to: "spendable_micro",
    killedBy: [prepaidTest, earlierNode],
  },
  {
    name: "a booking forgets calls that an earlier version charged",
    file: "apps/api/src/money/ledger/append-entries.ts",
    from: "  head.spendable_micro -= uncounted!.gross_micro;\n",
    to: "",
    killedBy: [prepaidTest, earlierNode],
  },
  {
    name: "a refused call is a free answer",
    file: "apps/api/src/money/ledger/charge-batch.ts",
    from: '  if (receipt === refusedMark) return { kind: "refused" };\n',
    to: "",
    killedBy: [prepaidTest, batch],
  },
  {
    name: "a refused call is read back as charged",
    file: "apps/api/src/money/ledger/charge-batch.postgres.ts",
    from: 'if (receipt !== undefined || columns.mode[row] !== "live") return',
    to: "return",
    killedBy: ["apps/api/src/money/ledger/charge-batch.postgres.test.ts", readBack],
    needs: "postgres",
  },
  {
    name: "an expired answer is read back for a refused call",
    file: "apps/api/src/money/ledger/charge-batch.postgres.ts",
    from: "AND a.at >= $2`",
    to: "AND a.at >= $2 - 86400002`",
    killedBy: ["apps/api/src/money/ledger/charge-batch.postgres.test.ts", readBack],
    needs: "postgres",
  },
  {
    name: "earnings can be spent on calls",
    file: "packages/contract/src/ledger-chain.ts",
    from: 'if (entry.payer !== "developer") return 0;',
    to: "",
    killedBy: [prepaidTest, twoMoneys],
  },
  {
    name: "a call's share is spendable at once",
    file: "packages/contract/src/ledger-chain.ts",
    from: 'entry.kind === "call" ? -entry.gross_micro : balanceChangeOf(entry)',
    to: "balanceChangeOf(entry)",
    killedBy: [prepaidTest, race],
  },
  {
    name: "shares are confirmed before their hour is over",
    file: "apps/api/src/money/corrections/settle-prepaid.ts",
    from: "confirmAccount(store, head, startOfHour(nowMs))",
    to: "confirmAccount(store, head, nowMs)",
    killedBy: [prepaidTest, once],
  },
  {
    name: "two runs confirm the same shares",
    file: "apps/api/src/money/ledger/prepaid.table.ts",
    from: '    .where("share_confirmed_seq", "=", shares.fromSeq)\n',
    to: "",
    killedBy: [prepaidTest, once],
  },
  {
    name: "the ledger's verification ignores spendable money",
    file: "apps/api/src/money/ledger/verify-ledger.ts",
    from: "head.spendable_micro !== null && head.spendable_micro !== spendableMicroUsd",
    to: "false",
    killedBy: [prepaidTest, "are recomputed by the verification of the ledger"],
  },
  {
    name: "an upgrade does not settle calls with earnings",
    file: "apps/api/src/money/corrections/begin-prepaid.ts",
    from: "Math.min(-prepaidMicroUsd, Math.max(0, head.balance_micro - prepaidMicroUsd))",
    to: "0",
    killedBy: ["apps/api/src/money/corrections/soft-upgrade.test.ts", "starts every account at zero, booked and told once, and refuses calls 30 days later"],
  },
  {
    name: "an operator books money for itself",
    file: "apps/api/src/money/corrections/book-correction.ts",
    from: "actorAccountId === accountId && !mayCorrectOwn",
    to: "false",
    killedBy: ["apps/api/src/console/operator/corrections.test.ts", "let calls pass that were 402, are audited, and are read with their reasons by both sides [threat: self-correction]"],
  },
  {
    name: "a migration copies a ledger that was changed",
    file: "apps/api/src/store/migrations/verify-chains.ts",
    from: "    if (problem) fail(row.account_id, `entry ${row.seq}: ${problem}`);\n",
    to: "",
    killedBy: ["apps/api/src/store/migrations/0009-prepaid.test.ts", "is not migrated with an entry that was changed [threat: migrated-tampering]"],
  },
  {
    name: "reversed calls are subtracted from clicks",
    file: "apps/api/src/money/statements/report-ads.ts",
    from: 'each.kind === kind && each.payer === "advertiser"',
    to: "each.kind === kind",
    killedBy: ["apps/api/test/reversals.test.ts", "changes no sum of clicks, and cash, statement and revenue equal the ledger"],
  },
  {
    name: "reversed calls are subtracted from what advertisers owe",
    file: "apps/api/src/money/payouts/platform-money.ts",
    from: 'of("reversal", clickPayers).gross_micro',
    to: 'of("reversal").gross_micro',
    killedBy: ["apps/api/test/reversals.test.ts", "changes no sum of clicks, and cash, statement and revenue equal the ledger"],
  },
  {
    name: "a suspended operator acts on the command line",
    file: "apps/api/src/cli/find-operator.ts",
    from: "    if (account.status !== \"active\") throw new Refusal(`the operator ${account.email} is ${account.status} and cannot act`);\n",
    to: "",
    killedBy: ["apps/api/src/cli/find-operator.test.ts", "is the one that is named, or the only active one, and never somebody else"],
  },
];
