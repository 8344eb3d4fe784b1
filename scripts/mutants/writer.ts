import type { Mutant } from "./mutant.ts";

const mixedBatch = "apps/api/src/money/ledger/mixed-batch.test.ts";
const unlike = "charges new keys, replays known ones and those it has just seen, and reuses expired ones, each once";
const signals = "stores a session's signals as they were sent, and nothing for those that were not";
const tellsEverybody = "refuses what prepaid money does not cover among calls that it charges, and tells everybody although one waiter throws";
const groupCommit = "apps/api/src/store/group-commit.test.ts";
const charge = "apps/api/src/money/ledger/charge-batch.sqlite.ts";

/** From a call to its commit: waiters, packed rows, several entries per statement. */
export const writerMutants: readonly Mutant[] = [
  {
    name: "a waiter that throws takes its batch with it",
    file: "apps/api/src/store/group-commit.ts",
    from: "      onWaiterError(error);\n",
    to: "      throw error;\n",
    killedBy: [groupCommit, "tells the others of a batch that was committed their outcomes when one waiter throws, and commits the next"],
  },
  {
    name: "a waiter that throws is told again that it failed",
    file: "apps/api/src/store/group-commit.ts",
    from: "      onWaiterError(error);\n",
    to: "      onWaiterError(error);\n      waiter.fail(error);\n",
    killedBy: [groupCommit, "tells the others of a batch that was committed their outcomes when one waiter throws, and commits the next"],
  },
  {
    name: "a second batch is sent however long commits take",
    file: "apps/api/src/store/group-commit.ts",
    from: "2 * (nowMs() - begunMs) >= usualMs",
    to: "2 * (nowMs() - begunMs) >= 0",
    killedBy: [groupCommit, "sends a second batch early only where a commit is quick compared with gathering one"],
  },
  {
    name: "a refused call leaves its key under way",
    file: "apps/api/src/money/ledger/answer-once.ts",
    from: "    const { waiter } = this;\n    this.end();\n    this.stored?.reject(error);",
    to: "    const { waiter } = this;\n    this.stored?.reject(error);",
    killedBy: ["apps/api/src/money/ledger/answer-once.test.ts", "of a call that was refused at once is charged anew"],
  },
  {
    name: "duplicates of a refused call wait in vain",
    file: "apps/api/src/money/ledger/answer-once.ts",
    from: "    this.stored?.reject(error);\n",
    to: "",
    killedBy: [mixedBatch, tellsEverybody],
  },
  {
    name: "SQLite replays an expired answer",
    file: charge,
    from: "    WHERE idempotency_answers.at < ?`",
    to: "    WHERE 0 * idempotency_answers.at > ?`",
    killedBy: [mixedBatch, unlike],
  },
  {
    name: "SQLite overwrites the answer of a key with that of a retry",
    file: charge,
    from: "    WHERE idempotency_answers.at < ?`",
    to: "    WHERE idempotency_answers.at < ? + 1e15`",
    killedBy: [mixedBatch, unlike],
  },
  {
    name: "SQLite inserts entries of two rates with the first one's",
    file: charge,
    from: " && values[4] === entry.share_bps && values[5] === entry.gross_micro && values[6] === entry.developer_micro",
    to: "",
    killedBy: [mixedBatch, unlike],
  },
  {
    name: "SQLite inserts entries of two endpoints with the first one's",
    file: charge,
    from: "values[2] === entry.endpoint && ",
    to: "",
    killedBy: [mixedBatch, unlike],
  },
  {
    name: "SQLite forgets the entries at the end of a batch",
    file: charge,
    from: "    entries.flush();\n    if (head) writeAccount",
    to: "    if (head) writeAccount",
    killedBy: [mixedBatch, unlike],
  },
  {
    name: "SQLite writes the entries of a failed batch with the next one",
    file: charge,
    from: "    entries.clear();\n",
    to: "",
    killedBy: [mixedBatch, "that fails leaves nothing to the next one"],
  },
  {
    name: "SQLite stores a signal that was not sent as zero",
    file: "apps/api/src/store/batch-columns.ts",
    from: "?? Number.NaN",
    to: "?? 0",
    killedBy: [mixedBatch, signals],
  },
  {
    name: "the queue clears its table instead of taking a new one",
    file: "apps/api/src/queues/fair-queue.ts",
    from: "    lines = new Map();\n",
    to: "    lines.clear();\n",
    killedBy: ["apps/api/src/queues/fair-queue.test.ts", "lets go of the items that it has handed out: they are gone with the next minor collection"],
  },
];
