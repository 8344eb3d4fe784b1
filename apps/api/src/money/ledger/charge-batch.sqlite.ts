/**
 * SQLite's half of charge-batch.ts: runs on the writer thread, inside the transaction that store/sqlite-worker.ts
 * opened. charge-calls.function.ts is PostgreSQL's half; the same tests run on both.
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { startOfHour } from "../../formats/time.ts";
import { insertText, layOut } from "../../store/batch-columns.ts";
import type { CallPayer, LedgerEntryRow, LedgerHeadRow, UsageRollupRow } from "../../store/schema.ts";
import type { SqliteProcedure } from "../../store/sqlite-worker.ts";
import { chainEntry, entryColumns, headColumns } from "./chain-entry.ts";
import {
  type ChargedBatch,
  chargeFields,
  keyFields,
  type PackedCharges,
  recordFields,
  refusedMark,
  type ReplayedRow,
  tokenFields,
  tokenRecordFields,
  usedMark,
} from "./charge-batch.ts";

type Charges = typeof chargeFields;

const layout = layOut(chargeFields);
const keyLayout = layOut(keyFields);
const tokenLayout = layOut(tokenFields);
const textAt = (name: keyof Charges): number => layout.texts.indexOf(name);
const numberAt = (name: keyof Charges): number => layout.numbers.indexOf(name);
const place = {
  accountId: textAt("accountId"),
  mode: textAt("mode"),
  ref: textAt("ref"),
  endpoint: textAt("endpoint"),
  atMs: numberAt("atMs"),
  shareBps: numberAt("shareBps"),
  grossMicroUsd: numberAt("grossMicroUsd"),
  developerMicroUsd: numberAt("developerMicroUsd"),
  serviceScore: numberAt("serviceScore"),
};

/** What a session record stores: first its texts, then its numbers, by their places in a packed row; then what its token gave. */
const recordTexts = recordFields.filter(({ name }) => textAt(name) >= 0);
const recordNumbers = recordFields.filter(({ name }) => numberAt(name) >= 0);
const recordTextPlaces = recordTexts.map(({ name }) => textAt(name));
const recordNumberPlaces = recordNumbers.map(({ name }) => numberAt(name));
const recordColumns = [...recordTexts, ...recordNumbers, ...tokenRecordFields].map(({ column }) => column);

/** A statement for several entries is cheaper than one for each, up to about this many. */
const entriesAtOnce = 8;
const sharedEntryValues = 8;
const ownEntryValues = 3;

/** Consecutive entries of an account. What they share is bound once; each has its own time, reference and hash, and the hash before it. */
function insertEntriesText(count: number): string {
  const rows = Array.from({ length: count }, (_, nth) => {
    const first = sharedEntryValues + nth * ownEntryValues;
    return `(?1, ?2 + ${nth}, ?${first + 1}, 'call', ?${first + 2}, ?3, ?4, ?5, ?6, ?7, ?6 - ?7, ?${first}, ?${first + 3})`;
  });
  return `INSERT INTO ledger_entries (${entryColumns.join(", ")}) VALUES ${rows.join(", ")}`;
}

export const statements = {
  selectHead: `SELECT ${headColumns.join(", ")} FROM ledger_heads WHERE account_id = ?`,
  moveHead: "UPDATE ledger_heads SET seq = ?, hash = ?, at = ?, balance_micro = ?, spendable_micro = ?, spendable_seq = ? WHERE account_id = ?",
  // Calls that a process of an earlier version charged, without counting them in what is spendable.
  sumUncounted: `SELECT coalesce(sum(gross_micro), 0) AS gross_micro FROM ledger_entries
    WHERE account_id = ? AND seq > ? AND kind = 'call' AND payer = 'developer'`,
  selectAnswer: `SELECT a.endpoint, a.input, a.body, e.seq, e.hash FROM idempotency_answers a
    LEFT JOIN ledger_entries e ON e.account_id = a.account_id AND e.seq = a.ledger_seq
    WHERE a.key_hash = ? AND a.at >= ?`,
  // Changes nothing if the key has an answer, unless that has expired.
  insertAnswer: `${insertText("idempotency_answers", ["key_hash", "account_id", "endpoint", "input", "body", "ledger_seq", "at"])}
    ON CONFLICT (key_hash) DO UPDATE SET account_id = excluded.account_id, endpoint = excluded.endpoint,
      input = excluded.input, body = excluded.body, ledger_seq = excluded.ledger_seq, at = excluded.at
    WHERE idempotency_answers.at < ?`,
  insertEntry: insertEntriesText(1),
  insertEntries: insertEntriesText(entriesAtOnce),
  insertRecord: insertText("session_records", [...recordColumns, "ledger_seq"]),
  selectSession: "SELECT 1 FROM attested_sessions WHERE id = ?",
  insertSession: insertText("attested_sessions", ["id", "account_id", "ref", "at"]),
  addToRollup: `${insertText("usage_rollups", ["account_id", "hour", "endpoint", "payer", "share_bps", "calls", "gross_micro", "developer_micro", "platform_micro", "attested_calls"])}
    ON CONFLICT (account_id, hour, endpoint, payer, share_bps) DO UPDATE SET
      calls = calls + excluded.calls, gross_micro = gross_micro + excluded.gross_micro,
      developer_micro = developer_micro + excluded.developer_micro,
      platform_micro = platform_micro + excluded.platform_micro,
      attested_calls = attested_calls + excluded.attested_calls`,
};

type Rollup = UsageRollupRow & { attested_calls: number };

/** Rollups are added up in memory and written once per batch and account. Returns the one that the entry is counted in. */
function addToRollups(rollups: Rollup[], entry: LedgerEntryRow, payer: CallPayer): Rollup {
  const { account_id, endpoint, share_bps } = entry;
  const hour = startOfHour(entry.at);
  let rollup = rollups.findLast((each) => each.endpoint === endpoint && each.hour === hour && each.share_bps === share_bps);
  if (!rollup) {
    rollup = { account_id, hour, endpoint, payer, share_bps, calls: 0, gross_micro: 0, developer_micro: 0, platform_micro: 0, attested_calls: 0 };
    rollups.push(rollup);
  }
  rollup.calls += 1;
  rollup.gross_micro += entry.gross_micro;
  rollup.developer_micro += entry.developer_micro;
  rollup.platform_micro += entry.platform_micro;
  return rollup;
}

/** Gathers the entries of a batch and inserts several at once. */
function createEntryWriter(database: DatabaseSync) {
  const [insertEntry, insertEntries] = [database.prepare(statements.insertEntry), database.prepare(statements.insertEntries)];
  /** First what the entries share, then what each has of its own, in the order of the statement. */
  let values: SQLInputValue[] = [];
  const isShared = (entry: LedgerEntryRow): boolean =>
    values[0] === entry.account_id && values[2] === entry.endpoint && values[4] === entry.share_bps && values[5] === entry.gross_micro && values[6] === entry.developer_micro;

  function flush(): void {
    const count = (values.length - sharedEntryValues) / ownEntryValues;
    if (count === entriesAtOnce) {
      insertEntries.run(...values);
    } else {
      for (let nth = 0; nth < count; nth += 1) {
        const first = sharedEntryValues + nth * ownEntryValues;
        const [accountId, seq, ...shared] = values.slice(0, sharedEntryValues - 1);
        insertEntry.run(accountId!, Number(seq) + nth, ...shared, ...values.slice(first - 1, first + ownEntryValues));
      }
    }
    values = [];
  }

  return {
    add(entry: LedgerEntryRow): void {
      if (values.length > 0 && !isShared(entry)) flush();
      if (values.length === 0) {
        const { account_id, seq, endpoint, payer, share_bps, gross_micro, developer_micro, prev_hash } = entry;
        values = [account_id, seq, endpoint, payer, share_bps, gross_micro, developer_micro, prev_hash];
      }
      values.push(entry.at, entry.ref, entry.hash);
      if (values.length === sharedEntryValues + entriesAtOnce * ownEntryValues) flush();
    },
    flush,
    /** What a batch that failed has left. */
    clear(): void {
      values = [];
    },
  };
}

export const procedure: SqliteProcedure<PackedCharges, ChargedBatch> = (database: DatabaseSync) => {
  const [selectHead, moveHead] = [database.prepare(statements.selectHead), database.prepare(statements.moveHead)];
  const [selectAnswer, insertAnswer] = [database.prepare(statements.selectAnswer), database.prepare(statements.insertAnswer)];
  const [addToRollup, sumUncounted] = [database.prepare(statements.addToRollup), database.prepare(statements.sumUncounted)];
  const [selectSession, insertSession] = [database.prepare(statements.selectSession), database.prepare(statements.insertSession)];
  const insertRecord = database.prepare(statements.insertRecord);
  const entries = createEntryWriter(database);

  function readHead(accountId: string): LedgerHeadRow {
    const head = selectHead.get(accountId) as LedgerHeadRow | undefined;
    if (!head) throw new Error(`account ${accountId} has no ledger head`);
    const { spendable_micro, spendable_seq, seq } = head;
    if (spendable_micro === null || spendable_seq === seq) return { ...head };
    const uncounted = sumUncounted.get(accountId, spendable_seq) as { gross_micro: number };
    return { ...head, spendable_micro: spendable_micro - uncounted.gross_micro, spendable_seq: seq };
  }

  /** The answer may be that of a call in the same batch. */
  function findAnswer(batch: PackedCharges, keyHash: string, index: number): ReplayedRow | undefined {
    entries.flush();
    const stored = selectAnswer.get(keyHash, batch.replayFromMs) as Omit<ReplayedRow, "index"> | undefined;
    return stored && { ...stored, index };
  }

  /** Writes what an account's calls of this batch add up to, if any was charged. */
  function writeAccount(head: LedgerHeadRow, rollups: readonly Rollup[]): void {
    if (rollups.length === 0) return;
    moveHead.run(head.seq, head.hash, head.at, head.balance_micro, head.spendable_micro, head.spendable_seq, head.account_id);
    for (const { account_id, hour, endpoint, payer, share_bps, calls, gross_micro, developer_micro, platform_micro, attested_calls } of rollups) {
      addToRollup.run(account_id, hour, endpoint, payer, share_bps, calls, gross_micro, developer_micro, platform_micro, attested_calls);
    }
  }

  const isCovered = ({ payer, creditLimitMicroUsd }: PackedCharges, grossMicroUsd: number, head: LedgerHeadRow): boolean =>
    payer !== "developer" || creditLimitMicroUsd === null || (head.spendable_micro ?? 0) - grossMicroUsd >= -creditLimitMicroUsd;

  function chargeAll(batch: PackedCharges): ChargedBatch {
    const { payer, replayFromMs, calls, keys, tokens } = batch;
    const { numbers } = calls;
    const texts = calls.texts.split("\n");
    const keyHashes = keys?.texts.split("\n");
    const sessions = tokens?.texts.split("\n");
    const receipts: string[] = [];
    const replays: ReplayedRow[] = [];
    const record: SQLInputValue[] = [];
    let head: LedgerHeadRow | undefined;
    let rollups: Rollup[] = [];
    const rows = numbers.length / layout.numbers.length;
    for (let row = 0; row < rows; row += 1) {
      const text = row * layout.texts.length;
      const number = row * layout.numbers.length;
      const accountId = texts[text + place.accountId]!;
      const endpoint = texts[text + place.endpoint]!;
      const atMs = numbers[number + place.atMs]!;
      const grossMicroUsd = numbers[number + place.grossMicroUsd]!;
      const isLive = texts[text + place.mode] === "live";
      if (isLive && head?.account_id !== accountId) {
        if (head) writeAccount(head, rollups);
        head = readHead(accountId);
        rollups = [];
      }
      const ref = texts[text + place.ref]!;
      const session = sessions?.[row] ?? "";
      // A stored answer comes before both, and a used session before the balance.
      const isUsed = session !== "" && selectSession.get(session) !== undefined;
      const unwritten = isUsed ? usedMark : isLive && !isCovered(batch, grossMicroUsd, head!) ? refusedMark : undefined;
      const seq = isLive ? head!.seq + 1 : null;
      const keyHash = keyHashes?.[row] ?? "";
      if (keyHash !== "") {
        const [input, body] = [keys!.quoted[row * keyLayout.quoted.length]!, keys!.quoted[row * keyLayout.quoted.length + 1]!];
        // Nothing has been written for this call yet: if its key has an answer, nothing is.
        const isNew = unwritten === undefined && insertAnswer.run(keyHash, accountId, endpoint, input, body, seq, atMs, replayFromMs).changes === 1;
        const replay = isNew ? undefined : findAnswer(batch, keyHash, row);
        if (replay) {
          replays.push(replay);
          receipts.push("");
          continue;
        }
      }
      if (unwritten !== undefined) {
        receipts.push(unwritten);
        continue;
      }
      if (isLive) {
        const entry = chainEntry(head!, {
          atMs,
          kind: "call",
          ref,
          endpoint,
          payer,
          shareBps: numbers[number + place.shareBps]!,
          grossMicroUsd,
          developerMicroUsd: numbers[number + place.developerMicroUsd]!,
        });
        entries.add(entry);
        const rollup = addToRollups(rollups, entry, payer);
        if (session !== "") {
          insertSession.run(session, accountId, ref, atMs);
          rollup.attested_calls += 1;
        }
      }
      if (!Number.isNaN(numbers[number + place.serviceScore]!)) {
        record.length = 0;
        for (const index of recordTextPlaces) record.push(texts[text + index]!);
        for (const index of recordNumberPlaces) record.push(numbers[number + index]!);
        record.push(tokens?.numbers[row * tokenLayout.numbers.length] ?? null, tokens?.quoted[row * tokenLayout.quoted.length] ?? null);
        insertRecord.run(...record, seq);
      }
      receipts.push(seq === null ? "" : `${seq}.${head!.hash}`);
    }
    entries.flush();
    if (head) writeAccount(head, rollups);
    return { receipts: receipts.join(","), replays };
  }

  return (batch) => {
    entries.clear();
    return chargeAll(batch);
  };
};
