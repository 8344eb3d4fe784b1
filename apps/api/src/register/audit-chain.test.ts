import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { sql } from "kysely";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { joinPostgres, whyPostgresIsSkipped } from "../../test/start-postgres.ts";
import { makeTestFolder } from "../../test/start-service.ts";
import { runSql } from "../../test/store/run-sql.ts";
import { migratePostgres, migrateSqlite } from "../store/migrate.ts";
import { migrations } from "../store/migrations/list.ts";
import { openStore, sqliteFileName, type StoreSettings } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { actionColumns, noteAction } from "./audit.table.ts";
import { type AuditReport, verifyAudit } from "./verify-audit.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");
const genesis = "0".repeat(64);

type Row = Record<"id" | "actor_account_id" | "action" | "account_id" | "subject" | "detail" | "prev_hash" | "hash", string | null> & { at: number; seq: number };

const readRows = (store: Store) => store.db.selectFrom("audit_log").select(actionColumns).orderBy("seq").execute() as Promise<Row[]>;
const readHead = (store: Store) => store.db.selectFrom("audit_head").select(["seq", "hash"]).executeTakeFirstOrThrow();

/** Reimplemented from the documentation, not imported: a third party would verify an export this way. */
const rehash = (row: Row): string => {
  const fields = ["assay-audit-1", row.seq, row.id, row.at, row.actor_account_id, row.action, row.account_id, row.subject, row.detail, row.prev_hash];
  return createHash("sha256").update(fields.map((each) => each ?? "").join("\n"), "utf8").digest("hex");
};

async function assertChained(store: Store): Promise<Row[]> {
  const rows = await readRows(store);
  let previous = genesis;
  for (const [index, row] of rows.entries()) {
    assert.deepEqual([row.seq, row.prev_hash, row.hash], [index + 1, previous, rehash(row)]);
    previous = row.hash!;
  }
  assert.deepEqual(await readHead(store), { seq: rows.length, hash: previous });
  return rows;
}

async function verify(store: Store): Promise<{ report: AuditReport; problems: string[] }> {
  const problems: string[] = [];
  const report = await verifyAudit(store, (seq, problem) => problems.push(`${seq} ${problem}`));
  return { report, problems };
}

const note = (store: Store, subject: string, more: { accountId?: string; detail?: Record<string, unknown>; actorAccountId?: string } = {}) =>
  noteAction(store.db, { actorAccountId: null, action: "campaign.pause", subject, detail: {}, nowMs, ...more });

const openAgain = (settings: StoreSettings) => openStore(settings, { nowMs, onConnectionError: () => {} });

describeBothStores("the chain of the audit log", (open, dialect) => {
  const lineFeed = dialect === "sqlite" ? "char(10)" : "chr(10)";

  it("covers every field of every row, from one writer and from a closed write, a transaction and a statement alike", async () => {
    const { store } = await open();
    await note(store, "camp_1", { actorAccountId: "acct_operator", detail: { name: "Ümläut \n \"quoted\" 日本", budget_usd: 1.5 } }).execute();
    await store.write([note(store, "acct_subject"), note(store, "po_1", { accountId: "acct_paid" })]);
    const rows = await assertChained(store);
    assert.deepEqual(rows.map((row) => row.account_id), [null, "acct_subject", "acct_paid"]);
    const { report, problems } = await verify(store);
    assert.deepEqual(problems, []);
    assert.deepEqual(report, { entries: 3, ok: true, seq: 3, hash: rows[2]!.hash, unchained: 0 });
  });

  it("has no gap and no fork when two nodes write at once, also where a write fails halfway", async () => {
    const database = await open();
    const { store: other } = await openAgain(database);
    const writers = 40;
    const outcomes = await Promise.allSettled(
      Array.from({ length: writers }, (_, index) => {
        const store = index % 2 === 0 ? database.store : other;
        const isFailing = index % 5 === 0;
        // The second note has the first one's id, so the whole write is rolled back after its first note was chained.
        const first = note(store, `camp_${index}`).compile();
        return store.write([note(store, `acct_${index}`), ...(isFailing ? [{ compile: () => first }, { compile: () => first }] : [])] as Parameters<Store["write"]>[0]);
      }),
    );
    assert.equal(outcomes.filter(({ status }) => status === "rejected").length, writers / 5);
    const rows = await assertChained(database.store);
    assert.equal(rows.length, writers - writers / 5);
    assert.deepEqual((await verify(other)).problems, []);
    await other.close();
  });

  it("refuses to change, unchain, delete or replace a row, and a line feed in a field [threat: changed-audit]", async () => {
    const database = await open();
    const { store } = database;
    await store.write([note(store, "camp_1"), note(store, "camp_2")]);
    const written = await readRows(store);
    const isRefused = async (statement: string, reason = /append-only/) => {
      await assert.rejects(runSql(database, [statement]), reason, statement);
      assert.deepEqual(await readRows(store), written, statement);
    };
    for (const column of actionColumns) await isRefused(`UPDATE audit_log SET ${column} = ${column} WHERE seq = 1`);
    await isRefused("UPDATE audit_log SET hash = NULL, seq = NULL, prev_hash = NULL WHERE seq = 2");
    await isRefused("DELETE FROM audit_log WHERE seq = 2");
    await isRefused(`INSERT INTO audit_log (id, at, action, subject, detail) VALUES ('act_x', 1, 'a', 'one' || ${lineFeed} || 'two', '{}')`, /line feed/);
    if (dialect === "postgres") await isRefused("TRUNCATE audit_log");
    else await isRefused("INSERT OR REPLACE INTO audit_log (id, at, action, subject, detail) SELECT id, 2, action, subject, detail FROM audit_log WHERE seq = 1");
  });

  it("takes in what an older version writes beside it, with a row that only it can still be given: its place", async () => {
    const database = await open();
    await note(database.store, "camp_1").execute();
    await runSql(database, ["INSERT INTO audit_log (id, at, action, subject, detail) VALUES ('act_0', 1, 'account.suspend', 'acct_old', '{}')"]);
    // PostgreSQL chains it at once. In a file it waits for the next start, and meanwhile only chaining may change it.
    if (dialect === "sqlite") {
      assert.deepEqual((await verify(database.store)).report, { ...(await verify(database.store)).report, entries: 1, ok: true, unchained: 1 });
      await assert.rejects(sql.raw("UPDATE audit_log SET detail = '{\"a\":1}', seq = 2, prev_hash = 'p', hash = 'h' WHERE id = 'act_0'").execute(database.store.db), /append-only/);
    }
    await note(database.store, "camp_2").execute();
    const { store: next } = await openAgain(database);
    const rows = await assertChained(next);
    assert.deepEqual(new Set(rows.map((row) => row.subject)), new Set(["acct_old", "camp_1", "camp_2"]));
    assert.equal(rows.length, 3);
    assert.deepEqual((await verify(next)).report.unchained, 0);
    await next.close();
  });
});

/** What somebody with the database's own tools may do, and what `ledger verify` says. */
describeBothStores("the verification of the audit log", (open, dialect) => {
  let database: TestDatabase;
  let rows: Row[];
  const guards = dialect === "sqlite" ? ["audit_log_no_update", "audit_log_no_delete"] : ["audit_log_append_only"];

  before(async () => {
    database = await open();
    for (let index = 1; index <= 5; index += 1) await note(database.store, `camp_${index}`).execute();
    rows = await readRows(database.store);
    await runSql(database, guards.map((name) => `DROP TRIGGER ${name}${dialect === "sqlite" ? "" : " ON audit_log"}`));
  });

  const undo = async () => {
    const values = rows.map((row) => `(${actionColumns.map((name) => (row[name] === null ? "NULL" : typeof row[name] === "number" ? row[name] : `'${row[name]}'`)).join(", ")})`);
    const last = rows.at(-1)!;
    await runSql(database, ["DELETE FROM audit_log", `INSERT INTO audit_log (${actionColumns.join(", ")}) VALUES ${values.join(", ")}`, `UPDATE audit_head SET seq = ${last.seq}, hash = '${last.hash}'`]);
  };

  const forged = (index: number, change: Partial<Row>) => {
    const row = { ...rows[index]!, ...change };
    return { ...row, hash: rehash(row) };
  };

  const tamperings: { what: string; expected: RegExp; statements: () => string[] }[] = [
    ...["at = 7", "actor_account_id = 'acct_other'", "action = 'a.b'", "subject = 'camp_x'", "account_id = 'acct_x'", "detail = '{}  '", "id = 'act_x'"].map((change) => ({
      what: `${change.split(" ")[0]} was changed`,
      expected: /^2 has been changed/,
      statements: () => [`UPDATE audit_log SET ${change} WHERE seq = 2`],
    })),
    { what: "a row in the middle was deleted", expected: /^4 follows row 2: rows are missing/, statements: () => ["DELETE FROM audit_log WHERE seq = 3"] },
    { what: "the last row was deleted", expected: /^5 is the last row by the head, but the chain ends at 4/, statements: () => ["DELETE FROM audit_log WHERE seq = 5"] },
    {
      what: "a row was replaced by one with a right hash",
      expected: /^4 does not name the hash of the row before it/,
      statements: () => [`UPDATE audit_log SET subject = 'camp_x', hash = '${forged(2, { subject: "camp_x" }).hash}' WHERE seq = 3`],
    },
    {
      what: "the last row was replaced by one with a right hash",
      expected: /^5 is the last row by the head/,
      statements: () => [`UPDATE audit_log SET subject = 'camp_x', hash = '${forged(4, { subject: "camp_x" }).hash}' WHERE seq = 5`],
    },
    { what: "the head was moved back", expected: /^5 stands beyond the end of the chain, which is 4/, statements: () => [`UPDATE audit_head SET seq = 4, hash = '${rows[3]!.hash}'`] },
    { what: "a row was taken out of the chain", expected: /rows are missing/, statements: () => ["UPDATE audit_log SET seq = NULL, prev_hash = NULL, hash = NULL WHERE seq = 3"] },
    { what: "a row with a hash has no place", expected: /^6 stands beyond/, statements: () => ["INSERT INTO audit_log (id, at, action, subject, detail, hash) VALUES ('act_y', 1, 'a', 's', '{}', 'h')"] },
  ];

  for (const { what, expected, statements } of tamperings) {
    it(`finds that ${what} [threat: changed-audit]`, async () => {
      await runSql(database, statements());
      const { report, problems } = await verify(database.store);
      await undo();
      assert.equal(report.ok, false);
      assert(problems.some((problem) => expected.test(problem)), problems.join("\n"));
      assert.deepEqual((await verify(database.store)).problems, []);
    });
  }

  it("cannot find that everything from a row on was written anew: a hash that was kept elsewhere shows it [threat: rewritten-audit]", async () => {
    const kept = rows.at(-1)!;
    let previous = rows[1]!.hash!;
    const rewritten = [2, 3, 4].map((index) => {
      const row = forged(index, { subject: "camp_x", prev_hash: previous });
      previous = row.hash!;
      return row;
    });
    await runSql(database, [
      ...rewritten.map((row) => `UPDATE audit_log SET subject = 'camp_x', prev_hash = '${row.prev_hash}', hash = '${row.hash}' WHERE seq = ${row.seq}`),
      `UPDATE audit_head SET hash = '${previous}'`,
    ]);
    const { report } = await verify(database.store);
    await undo();
    assert.equal(report.ok, true);
    assert.equal(report.seq, kept.seq);
    assert.notEqual(report.hash, kept.hash);
  });
});

const before10 = migrations.slice(0, migrations.findIndex(({ name }) => name === "0010-audit-chain"));
/** More than two steps of chaining. */
const oldRows = 1_100;

for (const dialect of ["sqlite", "postgres"] as const) {
  describe(`an audit log from before the chain (${dialect})`, { skip: dialect === "postgres" ? whyPostgresIsSkipped() : false }, () => {
    it("is chained at the first start, in the order of its ids, with the account of each payout", async () => {
      const settings: StoreSettings = { dataDir: makeTestFolder(), databaseUrl: undefined };
      const postgres = dialect === "postgres" ? await joinPostgres() : undefined;
      settings.databaseUrl = await postgres?.newDatabase();
      if (settings.databaseUrl === undefined) migrateSqlite(join(settings.dataDir, sqliteFileName), nowMs, before10);
      else await migratePostgres(settings.databaseUrl, nowMs, before10);
      const values = Array.from({ length: oldRows }, (_, index) => `('act_${String(oldRows - index).padStart(5, "0")}', ${index}, 'payout.paid', 'po_1', '{}')`);
      await runSql({ ...settings, databaseOwnerUrl: settings.databaseUrl }, [
        "INSERT INTO accounts (id, email, tier, status, operator, demo, created_at) VALUES ('acct_1', 'a@example.com', 'Starter', 'active', 0, 0, 1)",
        "INSERT INTO payouts (id, account_id, month, amount_micro, status, proposed_at) VALUES ('po_1', 'acct_1', '2026-01', 1, 'proposed', 1)",
        `INSERT INTO audit_log (id, at, action, subject, detail) VALUES ${values.join(", ")}`,
      ]);
      const { store } = await openAgain(settings);
      const rows = await assertChained(store);
      assert.equal(rows.length, oldRows);
      const ids = rows.map(({ id }) => String(id));
      assert.deepEqual(ids, ids.toSorted((left, right) => (left < right ? -1 : 1)));
      assert(rows.every((row) => row.account_id === "acct_1"));
      assert.deepEqual((await verify(store)).problems, []);
      await store.close();
      await postgres?.stop();
    });
  });
}
