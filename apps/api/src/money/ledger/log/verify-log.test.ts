import assert from "node:assert/strict";
import { sql } from "kysely";
import { before, it } from "node:test";
import { Client } from "pg";
import { describeBothStores, type TestDatabase } from "../../../../test/both-stores.ts";
import { addEntries, createMemory, extend, logContextOf } from "../../../../test/log/log-context.ts";
import { makeAccount } from "../../../../test/make-account.ts";
import type { Store } from "../../../store/store.ts";
import { overlapMs, readPastLogKeys, rotateLogKey } from "./log-keys.ts";
import { readLogStatus } from "./witness/read-log-status.ts";
import { readCheckpoint } from "./read-log.ts";
import { verifyLedgerAndLog } from "./verify-ledger-and-log.ts";
import { verifyLog } from "./verify-log.ts";

const verify = (store: Store, remembered: Parameters<typeof verifyLog>[1]["remembered"] = []) =>
  verifyLog(store, { keysOf: (origin) => readPastLogKeys(logContextOf(store), origin), remembered, onProgress: () => {} });

/** Whoever owns the tables: their guards are gone, and every statement runs. */
async function openAsOwner({ store, dialect, databaseOwnerUrl }: TestDatabase, tables: readonly string[]) {
  const client = dialect === "postgres" ? new Client({ connectionString: databaseOwnerUrl }) : undefined;
  await client?.connect();
  const run = async (statement: string): Promise<void> => void (await (client ? client.query(statement) : sql.raw(statement).execute(store.db)));
  for (const table of tables) {
    if (client) await run(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    else for (const name of ["no_update", "no_delete", "no_replace"]) await run(`DROP TRIGGER ${table}_${name}`);
  }
  return { run, close: async () => client?.end() };
}

/** Two checkpoints: one of that many entries, and one of ten more. */
async function openLogged(store: Store, entries = 700): Promise<string> {
  const { accountId } = await makeAccount(store);
  await addEntries(store, accountId, entries);
  await extend(store);
  await addEntries(store, accountId, 10);
  await extend(store);
  return accountId;
}

describeBothStores("verifying the log", (open) => {
  it("rebuilds it from the entries and finds every checkpoint as signed, also by keys that are retired and by logs that are closed", async () => {
    const { store } = await open();
    const memory = createMemory();
    const accountId = await openLogged(store);
    await extend(store, { memories: [memory] });
    await rotateLogKey(logContextOf(store));
    await addEntries(store, accountId, 1);
    await extend(store, { nowMs: () => Date.now() + overlapMs + 1 });
    memory.kept = { ...memory.kept!, size: 1_000_000 };
    await extend(store, { memories: [memory] });
    const report = await verify(store, [memory.kept]);
    assert.deepEqual(report, { ok: true, logs: 2, size: 2 * 711, checkpoints: 3 + 1, breaks: [] });
    const full = await verifyLedgerAndLog(store);
    assert.deepEqual([full.ok, full.entries, full.log?.size], [true, 711, 2 * 711]);
  });

  type Table = "ledger_entries" | "log_tiles" | "log_runs" | "log_checkpoints";
  const forged = "ab".repeat(32);
  const tileRoot = "(SELECT t.root FROM log_tiles t WHERE t.level = 0 AND t.n = 0)";
  const attacks: { name: string; table: Table; statement: string; problem: RegExp }[] = [
    { name: "an entry is changed", table: "ledger_entries", statement: `UPDATE ledger_entries SET hash = '${forged}' WHERE seq = 300`, problem: /tile 0\/1 is not that of the entries/ },
    { name: "an entry in the last tile is changed, which is not full", table: "ledger_entries", statement: `UPDATE ledger_entries SET hash = '${forged}' WHERE seq = 710`, problem: /checkpoint of size 710 is not that of the entries/ },
    { name: "an entry is removed", table: "ledger_entries", statement: `DELETE FROM ledger_entries WHERE seq = 710`, problem: /no entry for index 709/ },
    { name: "a tile is changed", table: "log_tiles", statement: `UPDATE log_tiles SET hashes = root WHERE n = 1`, problem: /tile 0\/1 is not that/ },
    { name: "a tile's root is changed", table: "log_tiles", statement: `UPDATE log_tiles SET root = ${tileRoot} WHERE n = 1`, problem: /tile 0\/1 is not that/ },
    { name: "a tile is removed", table: "log_tiles", statement: `DELETE FROM log_tiles WHERE n = 1`, problem: /tile 0\/1 is not that/ },
    { name: "a run is removed", table: "log_runs", statement: `DELETE FROM log_runs WHERE first_index = 0`, problem: /does not follow the one before it/ },
    { name: "a run names other entries", table: "log_runs", statement: `UPDATE log_runs SET first_seq = 700 WHERE first_index = 700`, problem: /entry 700 of .* is logged where entry 701 is due/ },
    { name: "a checkpoint's root is changed", table: "log_checkpoints", statement: `UPDATE log_checkpoints SET root = ${tileRoot} WHERE size = 700`, problem: /checkpoint of size 700 is not that of the entries/ },
    { name: "a checkpoint's note is another's", table: "log_checkpoints", statement: `UPDATE log_checkpoints SET note = (SELECT c.note FROM log_checkpoints c WHERE c.size = 710) WHERE size = 700`, problem: /size 700 was signed for another tree/ },
    { name: "a checkpoint is not signed by the log", table: "log_checkpoints", statement: `UPDATE log_checkpoints SET note = replace(note, '+', '/') || 'x' WHERE size = 700`, problem: /checkpoint of size 700: / },
    { name: "a checkpoint covers entries that are not logged", table: "log_checkpoints", statement: `UPDATE log_checkpoints SET size = 9000 WHERE size = 710`, problem: /size 9000 covers more entries than are logged/ },
  ];

  it("finds whatever somebody with all rights in the database changes [threat: changed-log]", async () => {
    const database = await open();
    const { store } = database;
    await openLogged(store);
    const owner = await openAsOwner(database, ["ledger_entries", "log_tiles", "log_runs", "log_checkpoints"]);
    for (const { name, table, statement, problem } of attacks) {
      assert.equal((await verify(store)).ok, true, `before ${name}`);
      const rows = await store.db.selectFrom(table).selectAll().execute();
      await owner.run(statement);
      const report = await verify(store);
      assert(!report.ok && report.breaks.some((each) => problem.test(each.problem)), `${name}: ${JSON.stringify(report.breaks)}`);
      await owner.run(`DELETE FROM ${table}`);
      for (let at = 0; at < rows.length; at += 100) await store.db.insertInto(table).values(rows.slice(at, at + 100)).execute();
    }
    await owner.close();
  });

  it("finds a store that was put back behind what is remembered, with its log and all", async () => {
    const { store } = await open();
    await openLogged(store, 10);
    const { log, origin, size, root } = (await readCheckpoint(store))!;
    const kept = { log, origin, size, root: Buffer.from(root).toString("base64") };
    assert.equal((await verify(store, [kept])).ok, true);
    const behind = await verify(store, [{ ...kept, size: size + 1 }]);
    assert.deepEqual([behind.ok, behind.breaks.map(({ problem }) => problem)], [false, [`the database is behind the checkpoint of size ${size + 1}`]]);
  });
});

describeBothStores("a store that is behind its last checkpoint", (open) => {
  let store: Store;
  let accountId: string;

  before(async () => {
    ({ store } = await open());
    ({ accountId } = await makeAccount(store));
  });

  it("goes on in a new log with all entries, and says why [threat: rolled-back-store]", async () => {
    const memory = createMemory();
    await addEntries(store, accountId, 300);
    await extend(store, { memories: [memory] });
    const first = (await readCheckpoint(store))!;
    assert.deepEqual(memory.kept, { log: 1, origin: first.origin, size: 300, root: Buffer.from(first.root).toString("base64") });
    // As if 50 more entries had been logged before the database was put back.
    memory.kept = { ...memory.kept, size: 350, root: Buffer.alloc(32).toString("base64") };
    await addEntries(store, accountId, 60);
    assert.deepEqual(await extend(store, { memories: [memory] }), { size: 360, added: 360, isMore: false });
    const second = (await readCheckpoint(store))!;
    assert.deepEqual([second.log, second.origin, second.size], [2, `${first.origin}/2`, 360]);
    assert.deepEqual([memory.kept.origin, memory.kept.size], [second.origin, 360]);
    const status = (await readLogStatus(store, { witnesses: [], nowMs: Date.now() }))!;
    assert.deepEqual([status.path, status.previous.map(({ origin, path, size, reason }) => [origin, path, size, reason])], ["/log/2", [[first.origin, "/log", 300, "the database is behind the checkpoint of size 350"]]]);
    const report = await verify(store, [memory.kept]);
    assert.deepEqual([report.ok, report.logs], [true, 2]);
  });

  it("does so too where it contradicts the checkpoint, where it lost a later log, and where it has none at all", async () => {
    const { store: other } = await open();
    const account = await makeAccount(other);
    const lost = { log: 3, origin: "assay.example.com/assay/Ab3dEf9h/3", size: 7, root: "x" };
    await addEntries(other, account.accountId, 3);
    const memory = createMemory();
    memory.kept = lost;
    await extend(other, { memories: [memory] });
    assert.equal((await readCheckpoint(other))!.origin, "assay.example.com/assay/Ab3dEf9h/4");
    memory.kept = { ...lost, log: 7, origin: "assay.example.com/assay/Ab3dEf9h/7" };
    await extend(other, { memories: [memory] });
    assert.equal((await readCheckpoint(other))!.origin, "assay.example.com/assay/Ab3dEf9h/8");
    memory.kept = { ...memory.kept, root: Buffer.alloc(32).toString("base64") };
    await extend(other, { memories: [memory] });
    const { origin, size } = (await readCheckpoint(other))!;
    assert.deepEqual([origin, size], ["assay.example.com/assay/Ab3dEf9h/9", 3]);
  });

  it("keeps its log where nothing contradicts it: an older memory, one of a closed log, or one of another installation", async () => {
    const known = (await readCheckpoint(store))!;
    const older = await store.db.selectFrom("log_checkpoints").select(["log", "size", "root"]).where("log", "=", known.log).orderBy("size").executeTakeFirstOrThrow();
    const kept = [
      { log: older.log, origin: known.origin, size: older.size, root: Buffer.from(older.root).toString("base64") },
      { log: 1, origin: known.origin.replace(/\/2$/, ""), size: 999, root: "x" },
      { log: 1, origin: "elsewhere.example.com/assay/Zz3dEf9h", size: 999, root: "x" },
    ];
    for (const each of kept) {
      const memory = createMemory();
      memory.kept = each;
      await extend(store, { memories: [memory] });
      assert.equal((await readCheckpoint(store))!.origin, known.origin);
      assert.equal(memory.kept.origin, known.origin);
    }
  });

  it("opens one new log when nodes notice it at once", async () => {
    const { store: shared } = await open();
    const account = await makeAccount(shared);
    await addEntries(shared, account.accountId, 5);
    await extend(shared);
    const { origin } = (await readCheckpoint(shared))!;
    const memories = Array.from({ length: 4 }, () => Object.assign(createMemory(), {}));
    for (const memory of memories) await memory.remember({ log: 1, origin, size: 50, root: "x" });
    await Promise.all(memories.map((memory) => extend(shared, { memories: [{ recall: async () => ({ log: 1, origin, size: 50, root: "x" }), remember: memory.remember }] })));
    const logs = await shared.db.selectFrom("logs").select("origin").orderBy("number").execute();
    assert.deepEqual(logs.map((each) => each.origin), [origin, `${origin}/2`]);
  });
});
