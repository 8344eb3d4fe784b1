/** Somebody who can write to the database and knows how the service computes everything. */
import { genesisHash, spendableChangeOf, stepAfter, chainStart } from "@assay/contract/ledger-chain.ts";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startOfHour } from "../../src/formats/time.ts";
import { entryColumns, hashEntry } from "../../src/money/ledger/chain-entry.ts";
import { sqliteFileName } from "../../src/store/open-store.ts";
import type { LedgerEntryRow } from "../../src/store/schema.ts";
import type { TestDatabase } from "../both-stores.ts";
import { readLedger } from "../read-ledger.ts";
import { runSql } from "../store/run-sql.ts";

const guarded = ["ledger_entries", "log_runs", "log_tiles", "log_checkpoints", "log_cosignatures", "audit_log"];
const tileWidth = 256;

/** Writes past the triggers, and leaves them as they were. */
export async function writeFreely(database: TestDatabase, statements: readonly string[]): Promise<void> {
  if (database.dialect === "postgres") {
    const set = (verb: string) => guarded.map((table) => `ALTER TABLE ${table} ${verb} TRIGGER USER`);
    return runSql(database, ["BEGIN", ...set("DISABLE"), ...statements, ...set("ENABLE"), "COMMIT"]);
  }
  const file = new DatabaseSync(join(database.dataDir, sqliteFileName), { timeout: 10_000 });
  const triggers = file.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as { name: string; sql: string }[];
  file.close();
  await runSql(database, ["BEGIN IMMEDIATE", ...triggers.map(({ name }) => `DROP TRIGGER ${name}`), ...statements, ...triggers.map(({ sql }) => sql), "COMMIT"]);
}

const literal = (value: string | number): string => (typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`);
const insert = (table: string, columns: readonly string[], rows: readonly (string | number)[][]): string[] =>
  rows.length === 0 ? [] : [`INSERT INTO ${table} (${columns.join(", ")}) VALUES ${rows.map((row) => `(${row.map(literal).join(", ")})`).join(", ")}`];

/** The entries as one chain from 1 on, with new hashes. */
function chainAnew(entries: readonly LedgerEntryRow[]): LedgerEntryRow[] {
  let prevHash = genesisHash;
  return entries.map((entry, index) => {
    const chained = { ...entry, seq: index + 1, prev_hash: prevHash };
    prevHash = hashEntry(chained);
    return { ...chained, hash: prevHash };
  });
}

const rollupColumns = ["account_id", "hour", "endpoint", "payer", "share_bps", "calls", "gross_micro", "developer_micro", "platform_micro"];

function rollUp(entries: readonly LedgerEntryRow[]): (string | number)[][] {
  const calls = entries.filter(({ kind }) => kind === "call");
  const groups = Map.groupBy(calls, (entry) => JSON.stringify([entry.account_id, startOfHour(entry.at), entry.endpoint, entry.payer, entry.share_bps]));
  const sumOf = (group: readonly LedgerEntryRow[], column: "gross_micro" | "developer_micro" | "platform_micro") => group.reduce((sum, entry) => sum + entry[column], 0);
  return [...groups].map(([key, group]) => [...(JSON.parse(key) as (string | number)[]), group.length, sumOf(group, "gross_micro"), sumOf(group, "developer_micro"), sumOf(group, "platform_micro")]);
}

/** Everything that follows from a chain of calls: its head, its hours, its session records. */
function replaceChain(accountId: string, before: readonly LedgerEntryRow[], after: readonly LedgerEntryRow[]): string[] {
  const of = `WHERE account_id = ${literal(accountId)}`;
  const end = after.reduce(stepAfter, chainStart);
  const spendable = after.reduce((sum, entry) => sum + spendableChangeOf(entry), 0);
  const seqOf = new Map(after.map(({ ref, seq }) => [ref, seq]));
  return [
    `DELETE FROM ledger_entries ${of}`,
    ...insert("ledger_entries", entryColumns, after.map((entry) => entryColumns.map((column) => entry[column]))),
    `UPDATE ledger_heads SET seq = ${end.seq}, hash = ${literal(end.hash)}, at = ${end.at}, balance_micro = ${end.balance_micro},
      spendable_micro = CASE WHEN spendable_micro IS NULL THEN NULL ELSE ${spendable} END, spendable_seq = ${end.seq} ${of}`,
    `DELETE FROM usage_rollups ${of}`,
    ...insert("usage_rollups", rollupColumns, rollUp(after)),
    ...before.map(({ ref }) => (seqOf.has(ref) ? `UPDATE session_records SET ledger_seq = ${seqOf.get(ref)} WHERE id = ${literal(ref)}` : `DELETE FROM session_records WHERE id = ${literal(ref)}`)),
  ];
}

/** Takes calls out of an account's chain, and everything that would show it. */
export async function removeCalls(database: TestDatabase, { accountId, fromSeq, count }: { accountId: string; fromSeq: number; count: number }): Promise<void> {
  const before = await readLedger(database.store, accountId);
  await writeFreely(database, replaceChain(accountId, before, chainAnew(before.toSpliced(fromSeq - 1, count))));
}

/** Takes everything that was logged out of the log, which keeps its name and its key. */
export async function emptyLog(database: TestDatabase): Promise<void> {
  await writeFreely(database, ["log_cosignatures", "log_checkpoints", "log_tiles", "log_runs"].map((table) => `DELETE FROM ${table}`));
}

/** Lets the log forget that it has the account's entries: the service then appends them once more. */
export async function forgetLogged(database: TestDatabase, accountId: string): Promise<void> {
  await writeFreely(database, [`DELETE FROM log_runs WHERE account_id = ${literal(accountId)}`]);
}

/** Takes out all that was written since a moment: entries of all accounts, and what was logged and signed. */
export async function truncateFrom(database: TestDatabase, fromMs: number): Promise<void> {
  const { store } = database;
  const heads = await store.db.selectFrom("ledger_heads").select("account_id").where("seq", ">", 0).execute();
  const chains = await Promise.all(heads.map(async ({ account_id: accountId }) => ({ accountId, before: await readLedger(store, accountId) })));
  const last = await store.db.selectFrom("log_checkpoints").select(({ fn }) => fn.max("size").as("size")).where("at", "<", fromMs).executeTakeFirstOrThrow();
  const size = last.size ?? 0;
  const levels = [0, 1, 2];
  await writeFreely(database, [
    ...chains.flatMap(({ accountId, before }) => replaceChain(accountId, before, before.filter(({ at }) => at < fromMs))),
    `DELETE FROM log_cosignatures WHERE size > ${size}`,
    `DELETE FROM log_checkpoints WHERE size > ${size}`,
    `DELETE FROM log_runs WHERE first_index >= ${size}`,
    ...levels.map((level) => `DELETE FROM log_tiles WHERE level = ${level} AND (n + 1) * ${tileWidth ** (level + 1)} > ${size}`),
  ]);
}
