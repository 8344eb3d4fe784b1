import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { makeTestFolder } from "../../../test/start-service.ts";
import { migrateSqlite, planSqlite } from "../migrate.ts";
import { verifyChains } from "./verify-chains.ts";

const nowMs = Date.UTC(2026, 0, 1);
const fixture = new URL("../../../test/fixtures/store-0.1.0/assay.sqlite.gz", import.meta.url);

function withDatabase<Result>(path: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function unpackStore(): string {
  const path = join(makeTestFolder(), "assay.sqlite");
  writeFileSync(path, gunzipSync(readFileSync(fixture)));
  return path;
}

const readEntries = (path: string) => withDatabase(path, (database) => database.prepare("SELECT * FROM ledger_entries ORDER BY account_id, seq").all().map((row) => ({ ...row })));

describe("the ledger of an embedded store that version 0.1.0 made", () => {
  it("is copied without a change, refuses changes as before, and takes deposits", () => {
    const path = unpackStore();
    const before = readEntries(path);
    assert.ok(before.length > 1);
    const digest = withDatabase(path, verifyChains);
    migrateSqlite(path, nowMs);
    assert.deepEqual(readEntries(path), before);
    assert.equal(withDatabase(path, verifyChains), digest);
    withDatabase(path, (database) => {
      const refused = ["UPDATE ledger_entries SET ref = 'x'", "DELETE FROM ledger_entries", "REPLACE INTO ledger_entries SELECT * FROM ledger_entries"];
      for (const statement of refused) assert.throws(() => database.exec(statement), /ledger_entries is append-only/, statement);
      const insert = (kind: string) => database.exec(`INSERT INTO ledger_entries VALUES ('acct_x', 1, 0, '${kind}', 'dep_1', 'deposit', 'developer', 10000, 1, 1, 0, '0', 'x')`);
      assert.throws(() => insert("gift"), /CHECK constraint failed/);
      insert("deposit");
    });
  });

  const tampered = {
    "an entry that was changed": ["UPDATE ledger_entries SET ref = 'sess_forged' WHERE seq = 2", /the chain of acct_\w+ is broken \(entry 2: changed_entry\): the migration stopped and changed nothing/],
    "an entry that is missing": ["DELETE FROM ledger_entries WHERE seq = 2", /broken \(entry 3: missing_entry\)/],
    "a last entry that is missing": ["DELETE FROM ledger_entries WHERE seq = (SELECT max(seq) FROM ledger_entries)", /broken \(it does not end at its head\)/],
    "all entries missing": ["DELETE FROM ledger_entries", /broken \(its entries are missing\)/],
    "a balance that was raised": ["UPDATE ledger_heads SET balance_micro = balance_micro + 1 WHERE seq > 0", /broken \(its entries do not add up to its balance\)/],
  } as const;
  for (const [what, [statement, message]] of Object.entries(tampered)) {
    it(`is not migrated with ${what} [threat: migrated-tampering]`, () => {
      const path = unpackStore();
      withDatabase(path, (database) => {
        for (const verb of ["update", "delete"]) database.exec(`DROP TRIGGER ledger_entries_no_${verb}`);
        database.exec(statement);
      });
      const [entries, plan] = [readEntries(path), planSqlite(path)];
      assert.throws(() => migrateSqlite(path, nowMs), message);
      assert.deepEqual([readEntries(path), planSqlite(path)], [entries, plan]);
    });
  }
});
