import { openCheckpoint } from "@assay/tlog/checkpoint.ts";
import { verifyConsistency, verifyInclusion } from "@assay/tlog/merkle.ts";
import { parseNote } from "@assay/tlog/note.ts";
import { hashRange, type Tile } from "@assay/tlog/tiles.ts";
import assert from "node:assert/strict";
import { sql } from "kysely";
import { it } from "node:test";
import { describeBothStores } from "../../../../test/both-stores.ts";
import { addEntries, createMemory, extend, logContextOf, naiveRoot, readLeaves } from "../../../../test/log/log-context.ts";
import { makeAccount } from "../../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../../test/make-charge.ts";
import { runSql } from "../../../../test/store/run-sql.ts";
import { msPerDay } from "../../../formats/time.ts";
import type { Store } from "../../../store/store.ts";
import type { Continuation } from "./append-log.work.ts";
import { openNextLog } from "./extend-log.ts";
import { overlapMs, readLogKeys, rotateLogKey } from "./log-keys.ts";
import { insertCosignature, selectLogs } from "./log.table.ts";
import { proveConsistency, proveInclusion } from "./prove-entry.ts";
import { readCheckpoint, readTile } from "./read-log.ts";

const nowMs = 1_800_000_000_000;

/** Charges so many calls to each account, all at once. */
async function charge(store: Store, counts: ReadonlyMap<string, number>): Promise<void> {
  const charger = makeCharger(store, { nowMs });
  await Promise.all([...counts].flatMap(([accountId, count]) => Array.from({ length: count }, () => charger.charge(makeCharge({ accountId, atMs: nowMs })))));
}

const makeAccounts = async (store: Store, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => makeAccount(store, { nowMs })))).map(({ accountId }) => accountId);

const bytesOf = (bytes: Uint8Array) => Buffer.from(bytes);

/** Every entry of every chain is in the log once, in the order of its chain; the checkpoint's root is the tree's, and the log's key has signed it. */
async function assertLogged(store: Store): Promise<void> {
  const checkpoint = (await readCheckpoint(store))!;
  const leaves = await readLeaves(store, checkpoint.log);
  assert.equal(leaves.length, checkpoint.size);
  assert.deepEqual(bytesOf(naiveRoot(leaves.map(({ leaf }) => leaf))), bytesOf(checkpoint.root));
  const logged = Map.groupBy(leaves, ({ accountId }) => accountId);
  const heads = await store.db.selectFrom("ledger_heads").select(["account_id", "seq"]).where("seq", ">", 0).execute();
  assert.equal(logged.size, heads.length);
  for (const { account_id: accountId, seq } of heads) {
    assert.deepEqual(logged.get(accountId)!.map((each) => each.seq), Array.from({ length: seq }, (_, index) => index + 1));
  }
  const keys = await readLogKeys(logContextOf(store), checkpoint.origin);
  const opened = await openCheckpoint(checkpoint.note, { logKeys: keys.map(({ vkey }) => vkey), witnessKeys: [] });
  assert.deepEqual([opened.checkpoint.size, bytesOf(opened.checkpoint.root)], [checkpoint.size, bytesOf(checkpoint.root)]);
}

describeBothStores("the log of all chains", (open) => {
  it("has every entry of every chain once, in the order of its chain, under a signed root", async () => {
    const { store } = await open();
    const [a, b, c] = (await makeAccounts(store, 3)) as [string, string, string];
    assert.deepEqual(await extend(store), { size: 0, added: 0, isMore: false });
    assert.equal(await readCheckpoint(store), undefined);
    await charge(store, new Map([[a, 3], [b, 1]]));
    assert.deepEqual(await extend(store), { size: 4, added: 4, isMore: false });
    await assertLogged(store);
    await charge(store, new Map([[c, 300], [a, 1]]));
    assert.deepEqual(await extend(store), { size: 305, added: 301, isMore: false });
    assert.deepEqual(await extend(store), { size: 305, added: 0, isMore: false });
    await assertLogged(store);
  });

  it("logs an existing ledger that is larger than a batch, and an end that is no batch's", async () => {
    const { store } = await open();
    const [a, b, c] = (await makeAccounts(store, 3)) as [string, string, string];
    await addEntries(store, b, 9_000);
    await addEntries(store, a, 200);
    await addEntries(store, c, 7);
    assert.deepEqual(await extend(store), { size: 9_207, added: 9_207, isMore: false });
    await assertLogged(store);
    const { count } = await store.db.selectFrom("log_checkpoints").select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
    assert.equal(count, 9, "each batch is a transaction with a checkpoint of its own");
  });

  it("stops between batches when its time is over, and goes on where it stopped", async () => {
    const { store } = await open();
    const [a] = (await makeAccounts(store, 1)) as [string];
    await addEntries(store, a, 5_000);
    let asked = 0;
    assert.deepEqual(await extend(store, { isOver: () => asked++ > 0 }), { size: 1_024, added: 1_024, isMore: true });
    assert.deepEqual(await extend(store), { size: 5_000, added: 3_976, isMore: false });
    await assertLogged(store);
  });

  it("is not continued by a node that decided to before the next one was opened", async () => {
    const { store } = await open();
    const [accountId] = (await makeAccounts(store, 1)) as [string];
    await addEntries(store, accountId, 5);
    await extend(store);
    await openNextLog(store, { nowMs: Date.now(), reason: "a test", known: undefined });
    const late: Continuation = {
      log: 1,
      fromSize: 5,
      runs: [{ log: 1, first_index: 5, account_id: accountId, first_seq: 6, count: 1 }],
      tiles: [],
      checkpoint: { log: 1, size: 6, root: Buffer.alloc(32), note: "", at: Date.now() },
    };
    assert.equal(await store.transact(new URL("./append-log.work.ts", import.meta.url), late), "lost");
    const sizes = await store.db.selectFrom("log_checkpoints").select("size").where("log", "=", 1).execute();
    assert.deepEqual(sizes.map(({ size }) => size), [5]);
  });

  it("does not go on over entries that contradict its checkpoint, or under a checkpoint that contradicts its entries", async () => {
    const database = await open();
    const { store, dialect } = database;
    const [accountId] = (await makeAccounts(store, 1)) as [string];
    await addEntries(store, accountId, 5);
    await extend(store);
    await addEntries(store, accountId, 3);
    for (const table of ["ledger_entries", "log_checkpoints"]) {
      await runSql(database, [dialect === "postgres" ? `ALTER TABLE ${table} DISABLE TRIGGER USER` : `DROP TRIGGER ${table}_no_update`]);
    }
    const { hash } = await store.db.selectFrom("ledger_entries").select("hash").where("seq", "=", 2).executeTakeFirstOrThrow();
    const { root } = (await readCheckpoint(store))!;
    const setRoot = (bytes: Uint8Array) => `UPDATE log_checkpoints SET root = ${dialect === "postgres" ? "'\\x" : "x'"}${bytesOf(bytes).toString("hex")}'`;
    const setHash = (to: string) => `UPDATE ledger_entries SET hash = '${to}' WHERE seq = 2`;
    for (const [change, undo] of [[setHash("ab".repeat(32)), setHash(hash)], [setRoot(Buffer.alloc(32, 1)), setRoot(root)]] as const) {
      await runSql(database, [change]);
      await assert.rejects(extend(store), /contradict the checkpoint of size 5: run "assay ledger verify"/, change);
      const sizes = await store.db.selectFrom("log_checkpoints").select("size").execute();
      assert.deepEqual(sizes.map(({ size }) => size), [5], "nothing is signed");
      await runSql(database, [undo]);
    }
    assert.deepEqual(await extend(store), { size: 8, added: 3, isMore: false });
    await assertLogged(store);
  });

  it("is followed by one with a number that no log ever had, after each restore: what the installation remembers counts, and what the store has", async () => {
    const { store } = await open();
    const [accountId] = (await makeAccounts(store, 1)) as [string];
    await addEntries(store, accountId, 5);
    const memory = createMemory();
    await extend(store, { memories: [memory] });
    const { origin } = memory.kept!;
    const openLog = async () => ({ ...(await selectLogs(store.db).limit(1).executeTakeFirstOrThrow()) });
    // The store was put back twice to a time at which it had its first log: the second one was signed after the first restore.
    memory.kept = { ...memory.kept!, log: 2, origin: `${origin}/2` };
    await extend(store, { memories: [memory] });
    assert.deepEqual([(await openLog()).origin, (await openLog()).number, memory.kept.log], [`${origin}/3`, 3, 3]);
    await openNextLog(store, { nowMs, reason: "restored", known: { ...memory.kept, log: 7, origin: `${origin}/7` } });
    assert.deepEqual([(await openLog()).origin, (await openLog()).number], [`${origin}/8`, 8]);
    await openNextLog(store, { nowMs, reason: "restored, and the memory is older", known: { ...memory.kept, log: 1, origin } });
    assert.deepEqual([(await openLog()).origin, (await openLog()).number], [`${origin}/9`, 9]);
    await openNextLog(store, { nowMs, reason: "restored, and the memory is lost", known: undefined });
    assert.deepEqual([(await openLog()).origin, (await openLog()).number], [`${origin}/10`, 10]);
    await extend(store);
    await assertLogged(store);
  });

  it("stays one log when nodes extend it at once while calls are charged", async () => {
    const { store } = await open();
    const accounts = await makeAccounts(store, 5);
    for (let round = 0; round < 4; round += 1) {
      const work = [charge(store, new Map(accounts.map((id, index) => [id, 20 * index + round]))), ...Array.from({ length: 4 }, () => extend(store))];
      await Promise.all(work);
    }
    await extend(store);
    await assertLogged(store);
    assert.equal((await store.db.selectFrom("logs").select("number").execute()).length, 1);
  });

  it("never changes what it has published: every checkpoint is consistent with all earlier ones, and every entry is provable", async () => {
    const { store } = await open();
    const [a, b] = (await makeAccounts(store, 2)) as [string, string];
    const published: { size: number; root: Uint8Array; note: string }[] = [];
    for (const count of [1, 2, 5, 248, 1, 300, 17]) {
      await addEntries(store, a, count);
      await addEntries(store, b, 1);
      await extend(store);
      published.push((await readCheckpoint(store))!);
    }
    const last = published.at(-1)!;
    const leaves = await readLeaves(store, 1);
    for (const { size, root, note } of published) {
      const path = await proveConsistency(store, { log: 1, fromSize: size, toSize: last.size });
      assert.equal(await verifyConsistency({ fromSize: size, fromRoot: root, toSize: last.size, toRoot: last.root, path }), true);
      const row = await store.db.selectFrom("log_checkpoints").select("note").where("size", "=", size).executeTakeFirstOrThrow();
      assert.equal(row.note, note);
    }
    for (const [index, { accountId, seq, leaf }] of leaves.entries()) {
      if (index % 41 !== 0 && index !== leaves.length - 1) continue;
      const proof = (await proveInclusion(store, { accountId, seq }))!;
      assert.deepEqual([proof.index, proof.size], [index, last.size]);
      assert.equal(await verifyInclusion({ leafHash: leaf, index, size: last.size, root: last.root, path: proof.path }), true);
    }
    assert.equal(await proveInclusion(store, { accountId: a, seq: 1_000 }), undefined);
    assert.equal(await proveInclusion(store, { accountId: "acct_nobody", seq: 1 }), undefined);
  });

  it("is proved by its own hashes, whatever was proved before of other places and of the log before it", async () => {
    const { store } = await open();
    const [a, b] = (await makeAccounts(store, 2)).toSorted() as [string, string];
    // In the first log the accounts are in the order in which they were logged; the next one begins with all of them, by id.
    for (const accountId of [b, a]) {
      await addEntries(store, accountId, 300);
      await extend(store);
    }
    const proveAll = async () => {
      const { log, size, root } = (await readCheckpoint(store))!;
      const leaves = await readLeaves(store, log);
      for (const index of [0, 300, 599]) {
        const { accountId, seq, leaf } = leaves[index]!;
        const { path } = (await proveInclusion(store, { accountId, seq }))!;
        assert.equal(await verifyInclusion({ leafHash: leaf, index, size, root, path }), true, `index ${index} of log ${log}`);
      }
      return { log, leaves: leaves.map(({ leaf }) => leaf) };
    };
    const first = await proveAll();
    await openNextLog(store, { nowMs: Date.now(), reason: "a test", known: undefined });
    await extend(store);
    const second = await proveAll();
    assert.notDeepEqual(second.leaves, first.leaves);
    for (const { log, leaves } of [second, first]) {
      const path = await proveConsistency(store, { log, fromSize: 512, toSize: 600 });
      assert.equal(await verifyConsistency({ fromSize: 512, fromRoot: naiveRoot(leaves.slice(0, 512)), toSize: 600, toRoot: naiveRoot(leaves), path }), true);
    }
  });

  it("serves tiles of every width that it ever had, and they give the root", async () => {
    const { store } = await open();
    const [a] = (await makeAccounts(store, 1)) as [string];
    await addEntries(store, a, 700);
    await extend(store);
    await addEntries(store, a, 1);
    await extend(store);
    const size = 701;
    const { root } = (await readCheckpoint(store))!;
    const source = { size, readTile: (tile: Tile) => readTile(store, { log: 1, ...tile }) };
    assert.deepEqual(bytesOf(await hashRange({ from: 0, to: size }, source)), bytesOf(root));
    const leaves = (await readLeaves(store, 1)).map(({ leaf }) => leaf);
    for (const { index, width } of [{ index: 0, width: 256 }, { index: 1, width: 17 }, { index: 2, width: 188 }, { index: 2, width: 189 }]) {
      const tile = await readTile(store, { log: 1, level: 0, index, width });
      assert.deepEqual(bytesOf(tile), Buffer.concat(leaves.slice(index * 256, index * 256 + width)), `${index}.p/${width}`);
    }
    const above = await readTile(store, { log: 1, level: 1, index: 0, width: 2 });
    assert.deepEqual(bytesOf(above), Buffer.concat([naiveRoot(leaves.slice(0, 256)), naiveRoot(leaves.slice(256, 512))]));
  });

  it("is signed by both keys for 30 days after a rotation, then by the new one alone, also if nothing was logged meanwhile", async () => {
    const { store } = await open();
    const [a] = (await makeAccounts(store, 1)) as [string];
    await addEntries(store, a, 3);
    const at = (ms: number) => ({ nowMs: () => ms });
    await extend(store, at(nowMs));
    const { origin, note } = (await readCheckpoint(store))!;
    const [oldKey] = (await readLogKeys(logContextOf(store, at(nowMs)), origin)).map(({ vkey }) => vkey);
    const rotatedMs = nowMs + msPerDay;
    await rotateLogKey(logContextOf(store, at(rotatedMs)));
    const [newKey, ...others] = (await readLogKeys(logContextOf(store, at(rotatedMs)), origin)).map(({ vkey }) => vkey);
    assert.deepEqual(others, [oldKey]);
    assert.notEqual(newKey, oldKey);
    const opensWith = async (key: string) => openCheckpoint((await readCheckpoint(store))!.note, { logKeys: [key], witnessKeys: [] });
    for (let run = 0; run < 2; run += 1) await extend(store, at(rotatedMs));
    const both = (await readCheckpoint(store))!;
    assert(both.note.startsWith(note), "what was published stays, and a line is added");
    assert.equal(parseNote(both.note).signatures.length, 2);
    for (const key of [oldKey!, newKey!]) assert.equal((await opensWith(key)).checkpoint.size, 3);
    await addEntries(store, a, 1);
    await extend(store, at(rotatedMs + overlapMs - 1));
    for (const key of [oldKey!, newKey!]) assert.equal((await opensWith(key)).checkpoint.size, 4);
    await addEntries(store, a, 1);
    await extend(store, at(rotatedMs + overlapMs));
    assert.equal((await opensWith(newKey!)).checkpoint.size, 5);
    await assert.rejects(opensWith(oldKey!), { code: "unknown_log" });
    assert.deepEqual((await readLogKeys(logContextOf(store, at(rotatedMs + overlapMs)), origin)).map(({ vkey }) => vkey), [newKey]);
  });

  it("is refused by the database itself when somebody changes, deletes or replaces a row of it [threat: changed-log]", async () => {
    const { store, dialect } = await open();
    const [a] = (await makeAccounts(store, 1)) as [string];
    await addEntries(store, a, 300);
    await extend(store);
    const { log, size } = (await readCheckpoint(store))!;
    await store.write([insertCosignature(store.db, { log, size, witness: "w", line: "l", at: 1 })]);
    for (const table of ["logs", "log_tiles", "log_runs", "log_checkpoints", "log_cosignatures"] as const) {
      const [row] = await store.db.selectFrom(table).selectAll().execute();
      const column = Object.keys(row!)[0]!;
      const statements = [`UPDATE ${table} SET ${column} = ${column}`, `DELETE FROM ${table}`, ...(dialect === "sqlite" ? [`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`] : [`TRUNCATE ${table} CASCADE`])];
      for (const statement of statements) await assert.rejects(sql.raw(statement).execute(store.db), /append-only|permission denied/, statement);
    }
    assert.equal((await extend(store)).size, 300);
  });

  it("gives checkpoints times that never run backwards", async () => {
    const { store } = await open();
    const [a] = (await makeAccounts(store, 1)) as [string];
    for (const atMs of [nowMs, nowMs - msPerDay, nowMs + 1]) {
      await addEntries(store, a, 1);
      await extend(store, { nowMs: () => atMs });
    }
    const rows = await store.db.selectFrom("log_checkpoints").select("at").orderBy("size").execute();
    assert.deepEqual(rows.map(({ at }) => at), [nowMs, nowMs, nowMs + 1]);
  });
});
