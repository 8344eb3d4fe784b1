import assert from "node:assert/strict";
import { sql } from "kysely";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { makeAccount, type TestAccount } from "../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { readLedger } from "../../test/read-ledger.ts";
import { runSql } from "../../test/store/run-sql.ts";
import type { LedgerEntryRow } from "./schema.ts";

describeBothStores("the table ledger_entries", (open, dialect) => {
  let database: TestDatabase;
  let account: TestAccount;
  let entries: LedgerEntryRow[];

  before(async () => {
    database = await open();
    account = await makeAccount(database.store);
    const nowMs = Date.now();
    const charger = makeCharger(database.store, { nowMs });
    for (let call = 0; call < 3; call += 1) await charger.charge(makeCharge({ accountId: account.accountId, atMs: nowMs }));
    entries = await readLedger(database.store, account.accountId);
    assert.equal(entries.length, 3);
  });

  /** The database refuses the statement even to the owner of the table, and the entries are unchanged. */
  async function isRefused(statement: string, reason = /append-only/): Promise<void> {
    await assert.rejects(runSql(database, [statement]), reason, statement);
    assert.deepEqual(await readLedger(database.store, account.accountId), entries, statement);
  }

  const where = () => `WHERE account_id = '${account.accountId}' AND seq = 2`;

  it("refuses UPDATE of every column, even to the same value [threat: changed-entry]", async () => {
    for (const column of Object.keys(entries[0]!)) await isRefused(`UPDATE ledger_entries SET ${column} = ${column} ${where()}`);
    await isRefused(`UPDATE ledger_entries SET developer_micro = developer_micro + 1, platform_micro = platform_micro - 1`);
  });

  it("refuses DELETE of one row and of all [threat: changed-entry]", async () => {
    await isRefused(`DELETE FROM ledger_entries ${where()}`);
    await isRefused("DELETE FROM ledger_entries");
  });

  it("refuses to replace a row", async () => {
    const names = Object.keys(entries[0]!);
    const forged = names.map((name) => (name === "hash" ? "'forged'" : name)).join(", ");
    const insert = `INTO ledger_entries (${names.join(", ")}) SELECT ${forged} FROM ledger_entries ${where()}`;
    await isRefused(`INSERT ${insert}`, /UNIQUE|duplicate key|append-only/);
    await isRefused(`INSERT ${insert} ON CONFLICT (account_id, seq) DO UPDATE SET hash = excluded.hash`);
    if (dialect === "sqlite") await isRefused(`INSERT OR REPLACE ${insert}`);
  });

  it("refuses a row whose gross is not the sum of its shares", async () => {
    const values = `'${account.accountId}', 4, 1, 'call', 'sess_x', 'predict', 'platform', 6800`;
    const columns = "account_id, seq, at, kind, ref, endpoint, payer, share_bps, gross_micro, developer_micro, platform_micro, prev_hash, hash";
    await isRefused(`INSERT INTO ledger_entries (${columns}) VALUES (${values}, 50000, 34000, 16001, 'p', 'h')`, /check constraint/i);
    await isRefused(`INSERT INTO ledger_entries (${columns}) VALUES (${values}, 50000, 34001, 16000, 'p', 'h')`, /check constraint/i);
  });

  // SQLite has neither TRUNCATE nor partitions.
  if (dialect === "sqlite") return;

  async function readNames(query: ReturnType<typeof sql<{ name: string }>>): Promise<string[]> {
    const { rows } = await query.execute(database.store.db);
    return rows.map(({ name }) => name);
  }

  it("refuses TRUNCATE of the table and of each partition", async () => {
    const partitions = await readNames(sql`SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'ledger_entries'::regclass`);
    assert(partitions.length > 1);
    for (const name of ["ledger_entries", ...partitions]) {
      await isRefused(`TRUNCATE ${name}`);
      await isRefused(`TRUNCATE ${name} CASCADE`);
    }
  });

  it("refuses UPDATE and DELETE of the partition that contains the rows", async () => {
    const [partition] = await readNames(sql`SELECT tableoid::regclass::text AS name FROM ledger_entries WHERE account_id = ${account.accountId}`);
    await isRefused(`UPDATE ${partition} SET hash = hash ${where()}`);
    await isRefused(`DELETE FROM ${partition} ${where()}`);
  });
});
