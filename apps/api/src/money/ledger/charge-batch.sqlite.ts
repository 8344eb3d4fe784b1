/**
 * SQLite's half of charge-batch.ts: runs on the writer thread, inside the transaction that store/sqlite-worker.ts
 * opened. charge-calls.function.ts is PostgreSQL's half; the same tests run on both.
 */
import type { DatabaseSync } from "node:sqlite";
import { startOfHour } from "../../formats/time.ts";
import { insertText } from "../../store/batch-columns.ts";
import type { CallPayer, LedgerEntryRow, LedgerHeadRow, UsageRollupRow } from "../../store/schema.ts";
import type { SqliteProcedure } from "../../store/sqlite-worker.ts";
import { chainEntry, entryColumns, headColumns } from "./chain-entry.ts";
import { type ChargeColumns, type ChargedBatch, recordFields, refusedMark, type ReplayedRow } from "./charge-batch.ts";

export const statements = {
  selectHead: `SELECT ${headColumns.join(", ")} FROM ledger_heads WHERE account_id = ?`,
  moveHead: "UPDATE ledger_heads SET seq = ?, hash = ?, at = ?, balance_micro = ?, spendable_micro = ?, spendable_seq = ? WHERE account_id = ?",
  // Calls that a process of an earlier version charged, without counting them in what is spendable.
  sumUncounted: `SELECT coalesce(sum(gross_micro), 0) AS gross_micro FROM ledger_entries
    WHERE account_id = ? AND seq > ? AND kind = 'call' AND payer = 'developer'`,
  selectAnswer: `SELECT a.endpoint, a.input, a.body, e.seq, e.hash FROM idempotency_answers a
    LEFT JOIN ledger_entries e ON e.account_id = a.account_id AND e.seq = a.ledger_seq
    WHERE a.key_hash = ? AND a.at >= ?`,
  // An expired key is reused.
  insertAnswer: `${insertText("idempotency_answers", ["key_hash", "account_id", "endpoint", "input", "body", "ledger_seq", "at"])}
    ON CONFLICT (key_hash) DO UPDATE SET account_id = excluded.account_id, endpoint = excluded.endpoint,
      input = excluded.input, body = excluded.body, ledger_seq = excluded.ledger_seq, at = excluded.at`,
  insertEntry: insertText("ledger_entries", entryColumns),
  insertRecord: insertText("session_records", [...recordFields.map(({ column }) => column), "model_version", "ledger_seq"]),
  addToRollup: `${insertText("usage_rollups", ["account_id", "hour", "endpoint", "payer", "share_bps", "calls", "gross_micro", "developer_micro", "platform_micro"])}
    ON CONFLICT (account_id, hour, endpoint, payer, share_bps) DO UPDATE SET
      calls = calls + excluded.calls, gross_micro = gross_micro + excluded.gross_micro,
      developer_micro = developer_micro + excluded.developer_micro,
      platform_micro = platform_micro + excluded.platform_micro`,
};

/** Rollups are added up in memory and written once per batch and account. */
function addToRollups(rollups: UsageRollupRow[], entry: LedgerEntryRow, payer: CallPayer): void {
  const { account_id, endpoint, share_bps } = entry;
  const hour = startOfHour(entry.at);
  let rollup = rollups.findLast((each) => each.endpoint === endpoint && each.hour === hour && each.share_bps === share_bps);
  if (!rollup) {
    rollup = { account_id, hour, endpoint, payer, share_bps, calls: 0, gross_micro: 0, developer_micro: 0, platform_micro: 0 };
    rollups.push(rollup);
  }
  rollup.calls += 1;
  rollup.gross_micro += entry.gross_micro;
  rollup.developer_micro += entry.developer_micro;
  rollup.platform_micro += entry.platform_micro;
}

export const procedure: SqliteProcedure<ChargeColumns, ChargedBatch> = (database: DatabaseSync) => {
  const [selectHead, moveHead] = [database.prepare(statements.selectHead), database.prepare(statements.moveHead)];
  const [selectAnswer, insertAnswer] = [database.prepare(statements.selectAnswer), database.prepare(statements.insertAnswer)];
  const [insertEntry, insertRecord] = [database.prepare(statements.insertEntry), database.prepare(statements.insertRecord)];
  const [addToRollup, sumUncounted] = [database.prepare(statements.addToRollup), database.prepare(statements.sumUncounted)];

  function readHead(accountId: string): LedgerHeadRow {
    const head = selectHead.get(accountId) as LedgerHeadRow | undefined;
    if (!head) throw new Error(`account ${accountId} has no ledger head`);
    const { spendable_micro, spendable_seq, seq } = head;
    if (spendable_micro === null || spendable_seq === seq) return { ...head };
    const uncounted = sumUncounted.get(accountId, spendable_seq) as { gross_micro: number };
    return { ...head, spendable_micro: spendable_micro - uncounted.gross_micro, spendable_seq: seq };
  }

  function findAnswer(columns: ChargeColumns, keyHash: string, index: number): ReplayedRow | undefined {
    const stored = selectAnswer.get(keyHash, columns.replayFromMs) as Omit<ReplayedRow, "index"> | undefined;
    return stored && { ...stored, index };
  }

  /** Appends the call's entry and advances the head in memory. */
  function appendEntry(columns: ChargeColumns, row: number, head: LedgerHeadRow): LedgerEntryRow {
    const entry = chainEntry(head, {
      atMs: columns.atMs[row]!,
      kind: "call",
      ref: columns.ref[row]!,
      endpoint: columns.endpoint[row]!,
      payer: columns.payer,
      shareBps: columns.shareBps[row]!,
      grossMicroUsd: columns.grossMicroUsd[row]!,
      developerMicroUsd: columns.developerMicroUsd[row]!,
    });
    insertEntry.run(...entryColumns.map((column) => entry[column]));
    return entry;
  }

  function writeAccount(head: LedgerHeadRow, rollups: readonly UsageRollupRow[]): void {
    moveHead.run(head.seq, head.hash, head.at, head.balance_micro, head.spendable_micro, head.spendable_seq, head.account_id);
    for (const { account_id, hour, endpoint, payer, share_bps, calls, gross_micro, developer_micro, platform_micro } of rollups) {
      addToRollup.run(account_id, hour, endpoint, payer, share_bps, calls, gross_micro, developer_micro, platform_micro);
    }
  }

  const isCovered = ({ payer, creditLimitMicroUsd, grossMicroUsd }: ChargeColumns, row: number, head: LedgerHeadRow): boolean =>
    payer !== "developer" || creditLimitMicroUsd === null || (head.spendable_micro ?? 0) - grossMicroUsd[row]! >= -creditLimitMicroUsd;

  return (columns) => {
    const { accountId, mode, endpoint, atMs, serviceScore, keys } = columns;
    const recordColumns = recordFields.map(({ name }) => columns[name]);
    const receipts: string[] = [];
    const replays: ReplayedRow[] = [];
    let head: LedgerHeadRow | undefined;
    let rollups: UsageRollupRow[] = [];
    for (let row = 0; row < accountId.length; row += 1) {
      const keyHash = keys?.keyHash[row] ?? null;
      const replay = keyHash === null ? undefined : findAnswer(columns, keyHash, row);
      if (replay) {
        replays.push(replay);
        receipts.push("");
        continue;
      }
      let seq: number | null = null;
      if (mode[row] === "live") {
        if (head?.account_id !== accountId[row]) {
          if (head) writeAccount(head, rollups);
          head = readHead(accountId[row]!);
          rollups = [];
        }
        if (!isCovered(columns, row, head!)) {
          receipts.push(refusedMark);
          continue;
        }
        addToRollups(rollups, appendEntry(columns, row, head!), columns.payer);
        ({ seq } = head!);
      }
      if (serviceScore[row] !== null) insertRecord.run(...recordColumns.map((values) => values[row]!), columns.modelVersion, seq);
      if (keyHash !== null) insertAnswer.run(keyHash, accountId[row]!, endpoint[row]!, keys!.input[row]!, keys!.body[row]!, seq, atMs[row]!);
      receipts.push(seq === null ? "" : `${seq}.${head!.hash}`);
    }
    if (head) writeAccount(head, rollups);
    return { receipts: receipts.join(","), replays };
  };
};
