import type { Mutant } from "./mutant.ts";

const outside = "apps/api/src/cli/verify-published-log.test.ts";
const sdk = "packages/sdk/src/verify-receipt.test.ts";
const statements = "apps/api/src/money/statements/statement-checkpoint.test.ts";

export const verifyLogMutants: readonly Mutant[] = [
  {
    name: "the log from outside is not compared with the root that was signed",
    file: "apps/api/src/cli/verify-published-log.ts",
    from: "  if (!isRoot(tree, checkpoint)) throw",
    to: "  if (false as boolean) throw",
    killedBy: [outside, "is caught when it has other leaves than those that were signed"],
  },
  {
    name: "the log from outside is not compared with the checkpoint that was seen last",
    file: "apps/api/src/cli/verify-published-log.ts",
    from: "last && tree.size === last.size && !isRoot(tree, last)",
    to: "last && tree.size === last.size && false",
    killedBy: [outside, "is caught when entries that somebody saw were rewritten or removed [threat: rewritten-log]"],
  },
  {
    name: "the tiles above the leaves are not compared",
    file: "apps/api/src/cli/verify-published-log.ts",
    from: "  for (const partial of tree.partialTiles()) await compare(partial);\n",
    to: "",
    killedBy: [outside, "is caught when a tile of any level does not fit the others"],
  },
  {
    name: "an own entry that is missing in the log is always taken for a new one",
    file: "apps/api/src/cli/verify-published-log.ts",
    from: "if (at < nowMs - overdueMs) throw",
    to: "if (at < 0) throw",
    killedBy: [outside, "is caught when it leaves out one of the own entries, but not for one that is too new"],
  },
  {
    name: "a changed entry is not noticed by the receipt",
    file: "packages/tlog/src/examine-receipt.ts",
    from: "  if (receipt.hash !== hash) return { ...fails(",
    to: "  if (receipt.hash === \"\") return { ...fails(",
    killedBy: [sdk, "catches a rewritten chain by the kept receipt, whether or not the log was rewritten with it [threat: rewritten-chain]"],
  },
  {
    name: "a removed entry counts as one that is not logged yet",
    file: "packages/tlog/src/examine-receipt.ts",
    from: "  if (now === undefined) return found(\"inclusion\", \"fails\", \"entry_missing\",",
    to: "  if (now === undefined) return found(\"inclusion\", \"open\", \"not_logged_yet\",",
    killedBy: [sdk, "catches a rewritten chain by the kept receipt, whether or not the log was rewritten with it [threat: rewritten-chain]"],
  },
  {
    name: "the path of a proof is not followed",
    file: "packages/tlog/src/examine-receipt.ts",
    from: "  if (!isIncluded) return fails(",
    to: "  if (false as boolean) return fails(",
    killedBy: [sdk, "catches an entry that is in the ledger and not in the log"],
  },
  {
    name: "a checkpoint is not compared with the one that was seen",
    file: "packages/tlog/src/follow-log.ts",
    from: "  return isConsistent ? continues : { kind: \"contradicts\", seen: before };",
    to: "  return isConsistent || true ? continues : { kind: \"contradicts\", seen: before };",
    killedBy: [sdk, "catches a rewritten log by the kept checkpoint [threat: rewritten-log]"],
  },
  {
    name: "two roots of one size pass for the same log",
    file: "packages/tlog/src/follow-log.ts",
    from: "return areEqual(from.root, to.root) ? continues",
    to: "return areEqual(from.root, to.root) || true ? continues",
    killedBy: [sdk, "catches a log of the same size with other entries"],
  },
  {
    name: "the proof from before is not asked for again",
    file: "packages/tlog/src/examine-receipt.ts",
    from: "  if (!before) return { findings: [], evidence: undefined };",
    to: "  if (!before || before.seq !== wanted.seq) return { findings: [], evidence: undefined };",
    killedBy: [sdk, "catches a chain that was rewritten and logged once more, with evidence that convinces anybody [threat: relogged-chain]"],
  },
  {
    name: "any key that the service shows is believed",
    file: "packages/tlog/src/examine-receipt.ts",
    from: "  const pinned = isFirst ? await reader.readKeys() : kept.logKeys;",
    to: "  const pinned = isFirst ? await reader.readKeys() : [...kept.logKeys, ...(await reader.readKeys())];",
    killedBy: [sdk, "believes the keys that it was given, or the first that it saw, and no others"],
  },
  {
    name: "an older answer replaces the newest receipt",
    file: "packages/sdk/src/keep-receipts.ts",
    from: "if (receipt === undefined || seqOf(receipt) <= seqOf(this.#newest)) return;",
    to: "if (receipt === undefined) return;",
    killedBy: [sdk, "keeps the newest receipt per key, in whatever order the answers come"],
  },
  {
    name: "a failure of the store is not told",
    file: "packages/sdk/src/keep-receipts.ts",
    from: "      if (failure) throw failure.reason;\n",
    to: "",
    killedBy: [sdk, "tells of a store that cannot be written when it is asked for the receipt, and never fails the call"],
  },
  {
    name: "a statement names the newest log's checkpoint",
    file: "apps/api/src/money/ledger/log/find-checkpoint.ts",
    from: "(await selectLogs(db).execute()).toReversed()",
    to: "(await selectLogs(db).execute())",
    killedBy: [statements, "is the first one that covers the month's last receipt, signed by the log, and never changes"],
  },
  {
    name: "the monthly mail does not wait for the log",
    file: "apps/api/src/money/statements/send-statements.ts",
    from: "      if (isWaiting) continue;\n",
    to: "",
    killedBy: [statements, "is in the monthly mail, which waits for it for a day and then says that it is missing"],
  },
];
