import type { FaultsByTest } from "./locate.ts";

export const ledgerFaults: FaultsByTest = {
  "apps/api/src/money/ledger/money.test.ts": {
    "is rounded down for the developer, and both shares add up to the price": [
      { means: "the developer's share is rounded up", in: "apps/api/src/money/price.ts", function: "splitGross", change: ["replace", "Math.floor", "Math.ceil"] },
      { means: "the platform keeps nothing", in: "apps/api/src/money/price.ts", function: "splitGross", change: ["replace", "gross.microUsd - developerMicroUsd", "0"] },
    ],
    "is 0.034 USD of 0.05 at Starter, in the answer and in the ledger": [
      { means: "a call costs six cents", in: "apps/api/src/money/price.ts", function: "callPriceMicroUsd", change: ["replace", "50_000", "60_000"] },
      { means: "an entry's platform share ignores the developer's", in: "apps/api/src/money/ledger/chain-entry.ts", function: "chainEntry", change: ["replace", "entry.grossMicroUsd - entry.developerMicroUsd", "entry.grossMicroUsd"] },
    ],
    "does not move for a test key: no charge, no receipt, no usage, no statement": [
      { means: "SQLite bills test keys", in: "apps/api/src/money/ledger/charge-batch.sqlite.ts", function: "procedure", change: ["replace", "texts[text + place.mode] === \"live\"", "texts[text + place.mode] !== undefined"] },
    ],
    "never moves backwards in time, so that a month is a range of entries": [
      { means: "time runs backwards in a chain", in: "apps/api/src/money/ledger/chain-entry.ts", function: "chainEntry", change: ["without", "head.at"] },
    ],
  },
  "apps/api/src/money/ledger/idempotency.test.ts": {
    "expires after 24 hours and can then be used again": [
      { means: "an idempotency key replays for 25 hours", in: "apps/api/src/money/ledger/charge-batch.ts", function: "idempotencyHours", change: ["more", "24"] },
    ],
    "replays the stored answer to a retry, charged once": [
      { means: "a replay is reported as a fresh charge", in: "apps/api/src/money/ledger/charge-batch.ts", function: "toOutcomes", change: ["drop", "toReplay"] },
      { means: "SQLite charges a retry again", in: "apps/api/src/money/ledger/charge-batch.sqlite.ts", function: "procedure", change: ["replace", "isNew ? undefined : findAnswer(batch, keyHash, row)", "undefined"] },
    ],
    "is scoped to an account and a mode": [
      { means: "a key is shared by all accounts", in: "apps/api/src/money/ledger/answer-once.ts", function: "createAnswerOnce", change: ["replace", "charge.accountId", "\"\""] },
      { means: "a key is shared by test and live calls", in: "apps/api/src/money/ledger/answer-once.ts", function: "createAnswerOnce", change: ["replace", "charge.mode", "\"\""] },
    ],
    "is refused with another body, concurrently or later": [
      { means: "a key's answer is given to another request", in: "apps/api/src/money/ledger/answer-once.ts", function: "replay", change: ["without", "stored.input"] },
    ],
    "is refused on another endpoint": [
      { means: "a key's answer is given on another endpoint", in: "apps/api/src/money/ledger/answer-once.ts", function: "replay", change: ["without", "stored.endpoint"] },
    ],
    "replays the stored answer to a call that could not be charged any more, and refuses it where nothing is stored": [
      { means: "a call that cannot be charged is refused although its answer is stored", in: "apps/api/src/money/ledger/answer-once.ts", function: "createAnswerOnce", change: ["replace", "!stored", "stored"] },
    ],
  },
  "apps/api/src/money/ledger/concurrent-charges.test.ts": {
    "are each billed once, each with its own receipt, in chains that verify": [
      { means: "a batch's outcomes go to the wrong callers", in: "apps/api/src/money/ledger/charge-batch.ts", function: "inCallOrder", change: ["replace", "order[row]!", "row"] },
      { means: "an entry does not name the entry before it", in: "apps/api/src/money/ledger/chain-entry.ts", function: "prev_hash", change: ["replace", "head.hash", "\"0\".repeat(64)"] },
      { means: "a head's balance does not move", in: "apps/api/src/money/ledger/chain-entry.ts", function: "chainEntry", change: ["drop", "head.balance_micro"] },
    ],
    "of one batch at two rates and in two hours are summed apart, in usage that equals the ledger": [
      { means: "SQLite adds calls of two rates into one sum", in: "apps/api/src/money/ledger/charge-batch.sqlite.ts", function: "addToRollups", change: ["without", "each.share_bps"] },
      { means: "SQLite adds calls of two hours into one sum", in: "apps/api/src/money/ledger/charge-batch.sqlite.ts", function: "addToRollups", change: ["without", "each.hour"] },
    ],
  },
  "apps/api/src/money/ledger/charge-calls.function.test.ts": {
    "the functions that charge on PostgreSQL are the ones that were released": [
      { means: "PostgreSQL's function is changed without a new version", in: "apps/api/src/money/ledger/charge-calls.function.ts", function: "chargeCallsFunction", change: ["text", "c.gross - c.developer, c.prev", "c.gross, c.prev"] },
    ],
  },
  "apps/api/src/money/ledger/charge-batch.postgres.test.ts": {
    "is read back: calls that it charged are its own, and replays are answered with what was stored before": [
      { means: "an outcome that was read back replays another call's answer as its own", in: "apps/api/src/money/ledger/charge-batch.postgres.ts", function: "readBack", change: ["drop", "answer"], needs: "postgres" },
    ],
    "is read back: what prepaid money did not cover is refused, not charged, and an expired answer is not replayed [threat: free-refusal]": [
      { means: "a refused call is read back as charged", in: "apps/api/src/money/ledger/charge-batch.postgres.ts", function: "readBack", change: ["always", "columns.mode[row]"], needs: "postgres" },
      { means: "an expired answer is read back for a refused call", in: "apps/api/src/money/ledger/charge-batch.postgres.ts", function: "readBack", change: ["text", "AND a.at >= $2", "AND a.at >= $2 - 86400002"], needs: "postgres" },
    ],
  },
  "apps/api/src/money/payouts/payouts.test.ts": {
    "go through all statuses, and each movement of money is an entry in the account's chain": [
      { means: "movements have no hourly sums", in: "apps/api/src/money/ledger/append-entries.ts", function: "appendEntries", change: ["drop", "sumMovementsByHour"] },
    ],
  },
  "apps/api/src/money/ledger/append-entries.test.ts": {
    "waits for it and comes after its entry": [
      { means: "chains are not locked before they are appended to", in: "apps/api/src/money/ledger/ledger.table.ts", function: "lockHeads", change: ["unchain", "forUpdate"], needs: "postgres" },
    ],
  },
  "apps/api/src/cli/ledger.test.ts": {
    "finds every tampering once the triggers are dropped [threat: changed-entry]": [
      { means: "verification does not look at balances", in: "apps/api/src/money/ledger/verify-ledger.ts", function: "verifyAccount", change: ["never", "last.balance_micro"] },
      { means: "verification does not look beyond the head", in: "apps/api/src/money/ledger/verify-ledger.ts", function: "verifyAccount", change: ["never", "head.last_entry_seq"] },
      { means: "verification does not compare the end of a chain with its head", in: "apps/api/src/money/ledger/verify-ledger.ts", function: "verifyAccount", change: ["without", "last.hash !== head.hash"] },
      { means: "verification does not miss hourly sums", in: "apps/api/src/money/ledger/verify-ledger.ts", function: "verifyHours", change: ["drop", "missing.length"] },
      { means: "verification does not compare hourly sums", in: "apps/api/src/money/ledger/verify-ledger.ts", function: "verifyHours", change: ["never", "!equal"] },
      { means: "verification does not find entries without a head", in: "apps/api/src/money/ledger/verify-ledger.ts", function: "verifyLedger", change: ["drop", "findEntriesWithoutHead"] },
    ],
  },
  "apps/api/src/money/corrections/prepaid.test.ts": {
    "pass exactly as often as a deposit of 0.50 USD allows when 100 race on two nodes [threat: overdraft]": [
      { means: "SQLite charges a call that prepaid money does not cover", in: "apps/api/src/money/ledger/charge-batch.sqlite.ts", function: "procedure", change: ["replace", "(head.spendable_micro ?? 0) - grossMicroUsd", "(head.spendable_micro ?? 0)"] },
    ],
    "are decided one by one within a batch, and a refused one stores no answer under its key": [
      { means: "a refused call is a free answer", in: "apps/api/src/money/ledger/charge-batch.ts", function: "toOutcome", change: ["drop", "refusedMark"] },
    ],
    "is spendable once its hour is over, exactly once however often and wherever it is settled": [
      { means: "shares are confirmed before their hour is over", in: "apps/api/src/money/corrections/settle-prepaid.ts", function: "settlePrepaid", change: ["replace", "startOfHour(nowMs)", "nowMs"] },
      { means: "two runs confirm the same shares", in: "apps/api/src/money/ledger/prepaid.table.ts", function: "confirmShares", change: ["unchain", "share_confirmed_seq"] },
    ],
    "are recomputed by the verification of the ledger": [
      { means: "the ledger's verification ignores spendable money", in: "apps/api/src/money/ledger/verify-ledger.ts", function: "verifyAccount", change: ["never", "head.spendable_micro"] },
    ],
  },
  "apps/api/src/console/operator/corrections.test.ts": {
    "let calls pass that were 402, are audited, and are read with their reasons by both sides [threat: self-correction]": [
      { means: "an operator books money for itself", in: "apps/api/src/money/corrections/book-correction.ts", function: "bookCorrection", change: ["replace", "!mayCorrectOwn", "false"] },
    ],
  },
  "apps/api/src/money/ledger/answer-once.test.ts": {
    "of a call that was refused at once is charged anew": [
      { means: "a refused call leaves its key under way", in: "apps/api/src/money/ledger/answer-once.ts", function: "fail", change: ["drop", "this.end"] },
    ],
  },
  "apps/api/src/money/ledger/mixed-batch.test.ts": {
    "charges new keys, replays known ones and those it has just seen, and reuses expired ones, each once": [
      { means: "SQLite replays an expired answer", in: "apps/api/src/money/ledger/charge-batch.sqlite.ts", function: "statements", change: ["text", "WHERE idempotency_answers.at < ?", "WHERE 0 * idempotency_answers.at > ?"] },
      { means: "SQLite overwrites the answer of a key with that of a retry", in: "apps/api/src/money/ledger/charge-batch.sqlite.ts", function: "statements", change: ["text", "WHERE idempotency_answers.at < ?", "WHERE idempotency_answers.at < ? + 1e15"] },
      { means: "SQLite inserts entries of two endpoints with the first one's", in: "apps/api/src/money/ledger/charge-batch.sqlite.ts", function: "createEntryWriter", change: ["without", "entry.endpoint"] },
      { means: "SQLite forgets the entries at the end of a batch", in: "apps/api/src/money/ledger/charge-batch.sqlite.ts", function: "chargeAll", change: ["drop", "entries.flush"] },
    ],
  },
  "apps/api/src/money/ledger/attested-sessions.test.ts": {
    "gives one attested call, although a hundred copies are sent at once": [
      { means: "SQLite charges every copy of a session", in: "apps/api/src/money/ledger/charge-batch.sqlite.ts", function: "procedure", change: ["drop", "insertSession.run"] },
      { means: "a call whose session was used is a free answer", in: "apps/api/src/money/ledger/charge-batch.ts", function: "toOutcome", change: ["drop", "receipt === usedMark"] },
    ],
    "is judged after the stored answer of its key, and a used one stores no answer": [
      { means: "PostgreSQL looks no session up", in: "apps/api/src/money/ledger/charge-calls.function.ts", function: "chargeCallsFunction", change: ["text", "coalesce((SELECT true FROM attested_sessions a WHERE a.id = s.id), false) AS is_used", "false AS is_used"], needs: "postgres" },
    ],
  },
  "apps/api/src/store/open-postgres.test.ts": {
    "make every commit durable, whatever the database, the role and the URL say": [
      { means: "PostgreSQL's commits wait for no disk", in: "apps/api/src/store/primary/session-settings.ts", function: "durableCommits", change: ["replace", "{ set: \"on\", shown: [\"on\", \"remote_apply\"] }", "{ set: \"off\", shown: [\"off\"] }"], needs: "postgres" },
    ],
  },
  "apps/api/src/store/service-rights.test.ts": {
    "cannot change ledger_entries in any way [threat: service-rewrites]": [
      { means: "the service's role may change ledger entries", in: "apps/api/src/store/service-rights.ts", function: "limitedRights", change: ["replace", "ledger_entries: \"SELECT, INSERT\"", "ledger_entries: \"SELECT, INSERT, UPDATE\""], needs: "postgres" },
    ],
  },
  "apps/api/src/money/ledger/log/extend-log.test.ts": {
    "stays one log when nodes extend it at once while calls are charged": [
      { means: "the log goes on from a size that it no longer has", in: "apps/api/src/money/ledger/log/append-log.work.ts", function: "work", change: ["without", "size"] },
    ],
  },
  "apps/api/src/money/ledger/log/verify-log.test.ts": {
    "goes on in a new log with all entries, and says why [threat: rolled-back-store]": [
      { means: "a store that is behind what it signed goes on", in: "apps/api/src/money/ledger/log/log-memory.ts", function: "findContradiction", change: ["replace", "`the database is behind the checkpoint of size ${size}`", "undefined"] },
    ],
    "finds whatever somebody with all rights in the database changes [threat: changed-log]": [
      { means: "verifying the log does not compare its checkpoints", in: "apps/api/src/money/ledger/log/verify-log.ts", function: "verifyOne", change: ["drop", "!isSame"] },
      { means: "verifying the log does not compare its tiles", in: "apps/api/src/money/ledger/log/verify-log.ts", function: "createTileComparison", change: ["drop", "!isSame"] },
    ],
  },
  "packages/sdk/src/verify-receipt.test.ts": {
    "catches a rewritten chain by the kept receipt, whether or not the log was rewritten with it [threat: rewritten-chain]": [
      { means: "a changed entry is not noticed by the receipt", in: "packages/tlog/src/examine-receipt.ts", function: "checkInclusion", change: ["never", "receipt.hash"] },
    ],
    "catches an entry that is in the ledger and not in the log": [
      { means: "the path of a proof is not followed", in: "packages/tlog/src/examine-receipt.ts", function: "checkInclusion", change: ["never", "!isIncluded"] },
    ],
    "catches a log of the same size with other entries": [
      { means: "two roots of one size pass for the same log", in: "packages/tlog/src/follow-log.ts", function: "compareWithSeen", change: ["always", "from.root"] },
    ],
  },
  "packages/tlog/src/merkle.test.ts": {
    "fail for the same log at another size, unless the path is the same there": [
      { means: "an inclusion path may be shorter than the tree is high", in: "packages/tlog/src/merkle.ts", function: "walkInclusion", change: ["without", "last === 0"] },
    ],
    "fail when an entry that the older log had was changed, with any proof of the newer log": [
      { means: "a consistency proof is not compared with the older root", in: "packages/tlog/src/merkle.ts", function: "walkConsistency", change: ["without", "areEqual(older, fromRoot)"] },
    ],
    "fail with any other path or root": [
      { means: "a log of the same size may have another root", in: "packages/tlog/src/merkle.ts", function: "walkConsistency", change: ["without", "areEqual(fromRoot, toRoot)"] },
    ],
    "tell a leaf from an inner node with the same bytes": [
      { means: "leaves and inner nodes are hashed alike", in: "packages/tlog/src/merkle.ts", function: "childrenPrefix", change: ["replace", "1", "0"] },
    ],
  },
  "apps/api/src/register/audit-chain.test.ts": {
    "covers every field of every row, from one writer and from a closed write, a transaction and a statement alike": [
      { means: "the hash of an audit row leaves out the account", in: "apps/api/src/store/audit-chain.ts", function: "auditText", change: ["replace", "action.account_id ?? \"\"", "\"\""] },
    ],
    "refuses to change, unchain, delete or replace a row, and a line feed in a field [threat: changed-audit]": [
      { means: "an audit row may be changed once it is chained", in: "apps/api/src/store/migrations/0010-audit-chain.ts", function: "guardChain", change: ["text", "OLD.hash IS NULL AND NEW.hash IS NOT NULL", "NEW.hash IS NOT NULL"] },
    ],
    "finds that the last row was deleted [threat: changed-audit]": [
      { means: "verification does not compare the end of the audit log", in: "apps/api/src/register/verify-audit.ts", function: "verifyAudit", change: ["never", "last.hash"] },
    ],
  },
};
