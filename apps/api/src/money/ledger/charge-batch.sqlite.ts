/**
 * SQLite's half of charge-batch.ts: runs on the writer's thread, inside the transaction that
 * store/sqlite-worker.ts opened. PostgreSQL does the same in store/migrations/0001-charge-calls-function.ts.
 */
import { balanceChangeOf } from "@assay/contract/ledger-chain.ts";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { LedgerHeadRow } from "../../store/schema.ts";
import type { SqliteProcedure } from "../../store/sqlite-worker.ts";
import { type ChargeColumns, type ChargedBatch, developerMicroUsdOf, type ReplayedRow } from "./charge-batch.ts";
import { hashEntry } from "./ledger-entry.ts";
import { callPriceMicroUsd } from "../money.ts";
import { startOfHour } from "../../formats/time.ts";

function prepareStatements(database: DatabaseSync) {
  return {
    head: database.prepare(
      "SELECT account_id, seq, hash, at, balance_micro FROM ledger_heads WHERE account_id = ?",
    ),
    moveHead: database.prepare(
      "UPDATE ledger_heads SET seq = ?, hash = ?, at = ?, balance_micro = ? WHERE account_id = ?",
    ),
    answer: database.prepare(
      `SELECT a.endpoint, a.input, a.body, e.seq, e.hash FROM idempotency_answers a
       LEFT JOIN ledger_entries e ON e.account_id = a.account_id AND e.seq = a.ledger_seq
       WHERE a.key_hash = ? AND a.at >= ?`,
    ),
    insertAnswer: database.prepare(
      `INSERT INTO idempotency_answers (key_hash, account_id, endpoint, input, body, ledger_seq, at)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key_hash) DO UPDATE SET account_id = excluded.account_id, endpoint = excluded.endpoint,
         input = excluded.input, body = excluded.body, ledger_seq = excluded.ledger_seq,
         at = excluded.at`,
    ),
    insertEntry: database.prepare(
      `INSERT INTO ledger_entries (account_id, seq, at, kind, ref, endpoint, payer, share_bps, gross_micro,
         developer_micro, platform_micro, prev_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    insertRecord: database.prepare(
      `INSERT INTO session_records (account_id, id, mode, endpoint, at, user_engagement, session_duration,
         scroll_depth, interaction_count, page_views, return_visitor, service_score, confidence,
         recommendation, model_version, processing_time_ms, ledger_seq)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    addToRollup: database.prepare(
      `INSERT INTO usage_rollups (account_id, hour, endpoint, payer, share_bps, calls, gross_micro,
         developer_micro, platform_micro) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (account_id, hour, endpoint, payer, share_bps) DO UPDATE SET
         calls = calls + excluded.calls, gross_micro = gross_micro + excluded.gross_micro,
         developer_micro = developer_micro + excluded.developer_micro,
         platform_micro = platform_micro + excluded.platform_micro`,
    ),
  };
}

type Statements = ReturnType<typeof prepareStatements>;
type Rollup = {
  accountId: string;
  hour: number;
  endpoint: string;
  shareBps: number;
  calls: number;
  grossMicroUsd: number;
  developerMicroUsd: number;
};

function findAnswer(answer: StatementSync, columns: ChargeColumns, index: number): ReplayedRow | undefined {
  const keyHash = columns.idempotency!.keyHash[index]!;
  const stored = answer.get(keyHash, columns.replayFromMs) as Omit<ReplayedRow, "index"> | undefined;
  return stored && { ...stored, index };
}

/** Appends the call's entry to its account's chain and moves the head that is held in memory. */
function appendEntry(insertEntry: StatementSync, columns: ChargeColumns, row: number, head: LedgerHeadRow): void {
  const gross = callPriceMicroUsd;
  const developer = developerMicroUsdOf(columns.shareBps[row]!);
  const entry = {
    account_id: head.account_id,
    seq: head.seq + 1,
    at: Math.max(head.at, columns.atMs[row]!),
    kind: "call" as const,
    ref: columns.ref[row]!,
    endpoint: columns.endpoint[row]!,
    payer: columns.payer,
    share_bps: columns.shareBps[row]!,
    gross_micro: gross,
    developer_micro: developer,
    platform_micro: gross - developer,
    prev_hash: head.hash,
  };
  const hash = hashEntry(entry);
  insertEntry.run(
    entry.account_id,
    entry.seq,
    entry.at,
    entry.kind,
    entry.ref,
    entry.endpoint,
    entry.payer,
    entry.share_bps,
    entry.gross_micro,
    entry.developer_micro,
    entry.platform_micro,
    entry.prev_hash,
    hash,
  );
  head.seq = entry.seq;
  head.at = entry.at;
  head.hash = hash;
  head.balance_micro += balanceChangeOf(entry);
}

function insertRecord(insert: StatementSync, columns: ChargeColumns, row: number, seq: number | null): void {
  insert.run(
    columns.accountId[row]!,
    columns.ref[row]!,
    columns.mode[row]!,
    columns.endpoint[row]!,
    columns.atMs[row]!,
    columns.userEngagement[row]!,
    columns.sessionDuration[row]!,
    columns.scrollDepth[row]!,
    columns.interactionCount[row]!,
    columns.pageViews[row]!,
    columns.returnVisitor[row]!,
    columns.serviceScore[row]!,
    columns.confidence[row]!,
    columns.recommendation[row]!,
    columns.modelVersion,
    columns.processingTimeMs[row]!,
    seq,
  );
}

/** Rollups are summed in memory and written once per batch. */
function addToRollups(rollups: Rollup[], columns: ChargeColumns, row: number, atMs: number): void {
  const accountId = columns.accountId[row]!;
  const endpoint = columns.endpoint[row]!;
  const shareBps = columns.shareBps[row]!;
  const hour = startOfHour(atMs);
  let rollup = rollups.findLast(
    (each) =>
      each.accountId === accountId && each.endpoint === endpoint && each.hour === hour && each.shareBps === shareBps,
  );
  if (!rollup) {
    rollup = { accountId, hour, endpoint, shareBps, calls: 0, grossMicroUsd: 0, developerMicroUsd: 0 };
    rollups.push(rollup);
  }
  rollup.calls += 1;
  rollup.grossMicroUsd += callPriceMicroUsd;
  rollup.developerMicroUsd += developerMicroUsdOf(shareBps);
}

function writeAccount(sql: Statements, columns: ChargeColumns, head: LedgerHeadRow, rollups: Rollup[]): void {
  sql.moveHead.run(head.seq, head.hash, head.at, head.balance_micro, head.account_id);
  for (const each of rollups) {
    sql.addToRollup.run(
      each.accountId,
      each.hour,
      each.endpoint,
      columns.payer,
      each.shareBps,
      each.calls,
      each.grossMicroUsd,
      each.developerMicroUsd,
      each.grossMicroUsd - each.developerMicroUsd,
    );
  }
}

export const procedure: SqliteProcedure<ChargeColumns, ChargedBatch> = (database) => {
  const sql = prepareStatements(database);

  function readHead(accountId: string): LedgerHeadRow {
    const head = sql.head.get(accountId) as LedgerHeadRow | undefined;
    if (!head) throw new Error(`account ${accountId} has no ledger head`);
    return { ...head };
  }

  return (columns) => {
    const receipts: string[] = [];
    const replays: ReplayedRow[] = [];
    let head: LedgerHeadRow | undefined;
    let rollups: Rollup[] = [];
    for (let row = 0; row < columns.accountId.length; row += 1) {
      const keyHash = columns.idempotency?.keyHash[row] ?? null;
      const replay = keyHash === null ? undefined : findAnswer(sql.answer, columns, row);
      if (replay) {
        replays.push(replay);
        receipts.push("");
        continue;
      }
      let seq: number | null = null;
      if (columns.mode[row] === "live") {
        if (head?.account_id !== columns.accountId[row]) {
          if (head) writeAccount(sql, columns, head, rollups);
          head = readHead(columns.accountId[row]!);
          rollups = [];
        }
        appendEntry(sql.insertEntry, columns, row, head!);
        addToRollups(rollups, columns, row, head!.at);
        ({ seq } = head!);
      }
      if (columns.serviceScore[row] !== null) insertRecord(sql.insertRecord, columns, row, seq);
      if (keyHash !== null) {
        const { accountId, endpoint, atMs } = columns;
        const { input, body } = columns.idempotency!;
        sql.insertAnswer.run(keyHash, accountId[row]!, endpoint[row]!, input[row]!, body[row]!, seq, atMs[row]!);
      }
      receipts.push(seq === null ? "" : `${seq}.${head!.hash}`);
    }
    if (head) writeAccount(sql, columns, head, rollups);
    return { receipts: receipts.join(","), replays };
  };
};
