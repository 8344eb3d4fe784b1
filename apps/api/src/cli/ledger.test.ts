import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Assay, assayOn } from "../../test/cli/run-assay.ts";
import { writeFreely } from "../../test/log/attack-ledger.ts";
import { predict } from "../../test/send.ts";
import { runSql } from "../../test/store/run-sql.ts";
import { verifyLedger } from "../money/ledger/verify-ledger.ts";

type EntryJson = Record<"account_id" | "kind" | "ref" | "endpoint" | "payer" | "prev_hash" | "hash", string> &
  Record<"seq" | "at" | "share_bps" | "gross_micro" | "developer_micro" | "platform_micro" | "gross_usd", number>;

type ReportJson = { entries: number; accounts: number; ok: boolean; breaks: { account_id: string; seq: number; problem: string }[]; audit: { entries: number; ok: boolean; seq: number; hash: string }; log: { logs: number; size: number; checkpoints: number } };

const email = "ledger@example.com";
const calls = 5;

/** Reimplemented from the documentation, not imported: a third party would verify an export this way. */
function rehash(entry: EntryJson): string {
  const fields = [
    "assay-entry-1",
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
  ];
  return createHash("sha256").update(fields.join("\n"), "utf8").digest("hex");
}

type Change = { statements: string[]; undo: string[] };

/** Each tampering is undone before the next. `seq`: the entry that must be named. */
type Tampering = Change & { what: string; expected: RegExp; seq?: number };

const lengthen = (table: string, column: string, seq: number): Change => ({
  statements: [`UPDATE ${table} SET ${column} = ${column} || 'x' WHERE seq = ${seq}`],
  undo: [`UPDATE ${table} SET ${column} = substr(${column}, 1, length(${column}) - 1) WHERE seq = ${seq}`],
});

const removalOf = (seq: number) => ({
  statements: [`CREATE TABLE kept AS SELECT * FROM ledger_entries WHERE seq = ${seq}`, `DELETE FROM ledger_entries WHERE seq = ${seq}`],
  undo: ["INSERT INTO ledger_entries SELECT * FROM kept", "DROP TABLE kept"],
});

/** Replaces the last entry and recomputes its hash: only the head reveals it. */
function forgeryOf(last: EntryJson): Tampering {
  const forged = { ...last, developer_micro: last.developer_micro + 1, platform_micro: last.platform_micro - 1 };
  const setTo = (entry: EntryJson, hash: string) =>
    `UPDATE ledger_entries SET developer_micro = ${entry.developer_micro}, platform_micro = ${entry.platform_micro}, ` +
    `hash = '${hash}' WHERE seq = ${entry.seq}`;
  return {
    what: "the last entry was replaced by one with a valid hash",
    expected: /last entry by its head/,
    statements: [setTo(forged, rehash(forged))],
    undo: [setTo(last, last.hash)],
  };
}

const wrongHash = "f".repeat(64);

/** What only the end of the chain reveals: all of it before is in order. */
function tamperingsOfEnd([earlier, last]: [EntryJson, EntryJson]): Tampering[] {
  const moveHead = (to: EntryJson, sign: "+" | "-") =>
    `UPDATE ledger_heads SET seq = ${to.seq}, hash = '${to.hash}', at = ${to.at}, balance_micro = balance_micro ${sign} ${last.developer_micro} WHERE account_id = '${last.account_id}'`;
  const setHash = (hash: string) => [`UPDATE ledger_entries SET hash = '${hash}' WHERE seq = ${last.seq}`, `UPDATE ledger_heads SET hash = '${hash}' WHERE account_id = '${last.account_id}'`];
  const following = { ...last, seq: last.seq + 1, prev_hash: last.hash };
  const next = { ...following, hash: rehash(following) };
  const columns = Object.entries(next).filter(([name]) => !name.endsWith("_usd"));
  const names = columns.map(([name]) => name).join(", ");
  const values = columns.map(([, value]) => (typeof value === "number" ? value : `'${value}'`)).join(", ");
  return [
    { what: "the head was moved back", expected: /beyond the end of the chain/, seq: last.seq, statements: [moveHead(earlier, "-")], undo: [moveHead(last, "+")] },
    { what: "the last entry's own hash is wrong, and the head repeats it", expected: /has been changed/, seq: last.seq, statements: setHash(wrongHash), undo: setHash(last.hash) },
    {
      what: "an entry in perfect order stands beyond the head",
      expected: /beyond the end of the chain/,
      seq: next.seq,
      statements: [`INSERT INTO ledger_entries (${names}) VALUES (${values})`],
      undo: [`DELETE FROM ledger_entries WHERE seq = ${next.seq}`],
    },
  ];
}

const tamperings: Tampering[] = [
  {
    what: "money was moved within an entry",
    expected: /has been changed/,
    statements: ["UPDATE ledger_entries SET developer_micro = developer_micro + 1, platform_micro = platform_micro - 1 WHERE seq = 2"],
    undo: ["UPDATE ledger_entries SET developer_micro = developer_micro - 1, platform_micro = platform_micro + 1 WHERE seq = 2"],
  },
  { what: "an entry names another session", expected: /has been changed/, ...lengthen("ledger_entries", "ref", 3) },
  { what: "an entry in the middle was removed", expected: /entries are missing/, ...removalOf(3) },
  { what: "the last entry was removed", expected: /last entry by its head/, ...removalOf(calls) },
  {
    what: "an hour's usage was changed",
    expected: /usage of the hour .* differs/,
    statements: ["UPDATE usage_rollups SET calls = calls + 1"],
    undo: ["UPDATE usage_rollups SET calls = calls - 1"],
  },
  {
    what: "an hour's usage was removed",
    expected: /usage of \d+ hours is missing/,
    statements: ["CREATE TABLE kept AS SELECT * FROM usage_rollups", "DELETE FROM usage_rollups"],
    undo: ["INSERT INTO usage_rollups SELECT * FROM kept", "DROP TABLE kept"],
  },
  {
    what: "a balance was changed",
    expected: /balance is .* but the entries add up to/,
    statements: ["UPDATE ledger_heads SET balance_micro = balance_micro + 1"],
    undo: ["UPDATE ledger_heads SET balance_micro = balance_micro - 1"],
  },
  {
    what: "a chain's head was removed",
    expected: /entries but no head/,
    statements: ["CREATE TABLE kept AS SELECT * FROM ledger_heads", "DELETE FROM ledger_heads"],
    undo: ["INSERT INTO ledger_heads SELECT * FROM kept", "DROP TABLE kept"],
  },
];

describeBothStores("ledger verification", (open) => {
  let database: TestDatabase;
  let assay: Assay;
  const receipts: string[] = [];

  const exportLines = async () => (await assay.run("ledger", "export", "--email", email)).stdout.trimEnd().split("\n");
  const exportEntries = async () => (await exportLines()).map((line) => JSON.parse(line) as EntryJson);

  /** Past the triggers, which are in place again for whatever runs next, as is everything else. */
  async function whileChanged({ statements, undo }: Change, check: () => Promise<void>): Promise<void> {
    await writeFreely(database, statements);
    try {
      await check();
    } finally {
      await writeFreely(database, undo);
    }
  }

  before(async () => {
    database = await open();
    assay = assayOn(database);
    await assay.json("account", "create", "--email", email, "--tier", "Growth", "--verified");
    await assay.json("account", "create", "--email", "quiet@example.com", "--tier", "Starter");
    const { api_key: key } = await assay.json<{ api_key: string }>("key", "create", "--email", email, "--name", "server");
    const service = await database.serve();
    for (let call = 0; call < calls; call += 1) {
      const { status, headers } = await predict(service, key);
      assert.equal(status, 200);
      receipts.push(String(headers["assay-receipt"]));
    }
    await service.stop();
  });

  it("exports entries whose hashes a third party can recompute, matching the callers' receipts", async () => {
    const entries = await exportEntries();
    assert.equal(entries.length, calls);
    let hashBefore = "0".repeat(64);
    for (const [index, entry] of entries.entries()) {
      assert.equal(entry.seq, index + 1);
      assert.equal(entry.prev_hash, hashBefore);
      assert.equal(entry.hash, rehash(entry));
      assert.equal(entry.gross_micro, entry.developer_micro + entry.platform_micro);
      assert.equal(entry.gross_usd, 0.05);
      assert.equal(entry.kind, "call");
      assert.match(entry.ref, /^sess_/);
      hashBefore = entry.hash;
    }
    assert.deepEqual(entries.map(({ seq, hash }) => `${seq}.${hash}`), receipts);
    assert.deepEqual(await assay.json("ledger", "export", "--email", email), entries);
  });

  it("exports no line, or an empty list, for an account without billed calls", async () => {
    assert.deepEqual(await assay.run("ledger", "export", "--email", "quiet@example.com"), { code: 0, stdout: "", stderr: "" });
    assert.deepEqual(await assay.json("ledger", "export", "--email", "quiet@example.com"), []);
  });

  it("is backed by triggers: the database refuses to change or delete entries", async () => {
    for (const statement of ["UPDATE ledger_entries SET gross_micro = 0", "DELETE FROM ledger_entries"]) {
      await assert.rejects(runSql(database, [statement]), /append-only/);
    }
  });

  it("finds every tampering once the triggers are dropped [threat: changed-entry]", async () => {
    const [earlier, last] = (await exportEntries()).slice(-2) as [EntryJson, EntryJson];
    for (const { what, expected, seq, ...change } of [...tamperings, forgeryOf(last), ...tamperingsOfEnd([earlier, last])]) {
      await whileChanged(change, async () => {
        const { ok, breaks } = await verifyLedger(database.store);
        assert.equal(ok, false, what);
        assert(breaks.some((each) => expected.test(each.problem) && (seq === undefined || seq === each.seq)), `${what}: ${JSON.stringify(breaks)}`);
      });
    }
    const { audit, log: _log, ...report } = await assay.json<ReportJson>("ledger", "verify");
    assert.deepEqual(report, { entries: calls, accounts: 2, ok: true, breaks: [] });
    assert.equal(audit.ok, true);
  });

  it("verifies the audit log too, and prints the hash of its last row, which the operator may keep [threat: changed-audit]", async () => {
    const whole = await assay.json<ReportJson>("ledger", "verify");
    assert(whole.audit.entries >= 3 && whole.audit.seq === whole.audit.entries);
    assert((await assay.run("ledger", "verify")).stdout.includes(whole.audit.hash));
    await whileChanged(lengthen("audit_log", "subject", 2), async () => {
      const { code, stdout } = await assay.run("ledger", "verify", "--json");
      const { ok, audit, breaks } = JSON.parse(stdout) as ReportJson;
      assert.deepEqual([code, ok, audit.ok, breaks.map(({ account_id: of, seq }) => `${of} ${seq}`)], [1, false, false, ["(the audit log) 2"]]);
    });
  });

  it("prints the broken entry, as JSON and as text, and fails", async () => {
    await whileChanged(lengthen("ledger_entries", "ref", 4), async () => {
      const asJson = await assay.run("ledger", "verify", "--json");
      assert.deepEqual([asJson.code, asJson.stderr], [1, ""]);
      const { ok, breaks } = JSON.parse(asJson.stdout) as ReportJson;
      assert.deepEqual([ok, breaks.map(({ seq }) => seq)], [false, [4]]);
      const { code, stdout } = await assay.spawn("ledger", "verify");
      assert.equal(code, 1);
      assert.match(stdout, /BROKEN[^]*acct_\w+ +4 +has been changed/);
    });
  });
});
