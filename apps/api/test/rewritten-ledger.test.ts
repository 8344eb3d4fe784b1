/** Whoever can write to the database rewrites the ledger so well that it agrees with itself. What finds it, and what does not. */
import { type Examination, examineReceipt, type KeptLog, type LogReader, nothingKept } from "@assay/tlog/examine-receipt.ts";
import { judgeEvidence } from "@assay/tlog/evidence.ts";
import { checkpointOf, compareWithSeen } from "@assay/tlog/follow-log.ts";
import { parseVerifierKey } from "@assay/tlog/note.ts";
import { formatReceiptProof } from "@assay/tlog/proof.ts";
import { formatWitnessRequest } from "@assay/tlog/witness-request.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { msPerHour } from "../src/formats/time.ts";
import { readLogKeys } from "../src/money/ledger/log/log-keys.ts";
import { proveConsistency, proveInclusion } from "../src/money/ledger/log/prove-entry.ts";
import { MissingLeaf, readCheckpoint } from "../src/money/ledger/log/read-log.ts";
import { verifyLog } from "../src/money/ledger/log/verify-log.ts";
import { cosignCheckpoint, type WitnessAnswer, type WitnessContext } from "../src/money/ledger/log/witness/cosign-checkpoint.ts";
import { readOrMakeWitnessKey } from "../src/money/ledger/log/witness/witness-key.ts";
import { openWitnessMemory } from "../src/money/ledger/log/witness/witness-memory.ts";
import { verifyLedger } from "../src/money/ledger/verify-ledger.ts";
import { selectEntries } from "../src/money/ledger/ledger.table.ts";
import type { Store } from "../src/store/store.ts";
import { describeBothStores } from "./both-stores.ts";
import { emptyLog, forgetLogged, removeCalls, truncateFrom } from "./log/attack-ledger.ts";
import { createMemory, extend, logContextOf } from "./log/log-context.ts";
import { makeAccount } from "./make-account.ts";
import { makeCharge, makeCharger } from "./make-charge.ts";
import { readLedger } from "./read-ledger.ts";
import { makeTestFolder } from "./start-service.ts";

const hourMs = Date.UTC(2026, 10, 15, 12);

async function charge(store: Store, { accountId, count, atMs }: { accountId: string; count: number; atMs: number }): Promise<void> {
  const charger = makeCharger(store, { nowMs: atMs });
  await Promise.all(Array.from({ length: count }, () => charger.charge(makeCharge({ accountId, atMs }))));
}

/** What the account's owner asks the service, answered by what the routes call. */
function readerOf(store: Store, accountId: string, logKeys: string[]): LogReader {
  const readHash = async (seq: number) => (await selectEntries(store.db, { accountId, afterSeq: seq - 1, limit: 1 }).execute()).find((entry) => entry.seq === seq)?.hash;
  return {
    readKeys: async () => logKeys,
    readEntryHash: readHash,
    async readProof(seq) {
      const hash = await readHash(seq);
      const proof = await proveInclusion(store, { accountId, seq }).catch((error: unknown) => {
        if (!(error instanceof MissingLeaf)) throw error;
      });
      if (hash === undefined || !proof) return undefined;
      return formatReceiptProof({ accountId, seq, hash }, { index: proof.index, path: proof.path, checkpointNote: proof.checkpoint.note });
    },
    async readConsistency({ fromSize, toSize }) {
      const checkpoint = await readCheckpoint(store);
      if (!checkpoint || toSize > checkpoint.size) return undefined;
      return (await proveConsistency(store, { log: checkpoint.log, fromSize, toSize })).map((hash) => Buffer.from(hash).toString("base64"));
    },
  };
}

/** A witness that has cosigned the log as it is now. `ask`: what it answers to the newest checkpoint, with whatever proof the store can give. */
async function openWitness(store: Store, logKeys: readonly string[]) {
  const folder = makeTestFolder();
  const context: WitnessContext = {
    key: await readOrMakeWitnessKey(join(folder, "witness.key"), "witness.example/w1"),
    logKeys: await Promise.all(logKeys.map(parseVerifierKey)),
    memory: openWitnessMemory(join(folder, "witness.sqlite")),
    nowMs: () => hourMs,
  };
  async function ask(): Promise<WitnessAnswer["kind"]> {
    const { log, origin, size, note: checkpointNote } = (await readCheckpoint(store))!;
    const { size: oldSize } = context.memory.lastCosigned(origin);
    const path = oldSize === 0 || oldSize >= size ? [] : await proveConsistency(store, { log, fromSize: oldSize, toSize: size });
    return (await cosignCheckpoint(context, formatWitnessRequest({ oldSize: Math.min(oldSize, size), path, checkpointNote }))).kind;
  }
  assert.equal(await ask(), "cosigned");
  return { ask, close: () => context.memory.close() };
}

describeBothStores("a rewritten ledger", (open) => {
  /** An account with 200 calls and one with 56, in two hours: the log has 240 entries after the first one, and 256 after the second. */
  async function openLogged() {
    const database = await open();
    const { store } = database;
    const [{ accountId }, { accountId: other }] = [await makeAccount(store, { nowMs: hourMs }), await makeAccount(store, { nowMs: hourMs })];
    const memory = createMemory();
    for (const [atMs, count, others] of [[hourMs, 190, 50], [hourMs + msPerHour, 10, 6]] as const) {
      await charge(store, { accountId, count, atMs });
      await charge(store, { accountId: other, count: others, atMs });
      await extend(store, { nowMs: () => atMs, memories: [memory] });
    }
    const checkpoint = (await readCheckpoint(store))!;
    assert.equal(checkpoint.size, 256);
    const logKeys = (await readLogKeys(logContextOf(store), checkpoint.origin)).map(({ vkey }) => vkey);
    const reader = readerOf(store, accountId, logKeys);
    const receipts = (await readLedger(store, accountId)).map(({ seq, hash }) => ({ seq, hash }));
    const examine = (seq: number, kept: KeptLog): Promise<Examination> => examineReceipt(receipts[seq - 1]!, kept, reader, { witnessKeys: [], witnessesMin: 0 });
    const keptOf = async (seq: number): Promise<KeptLog> => {
      const { findings, kept } = await examine(seq, nothingKept);
      assert.deepEqual(findings.filter(({ verdict }) => verdict === "fails"), []);
      return kept;
    };
    return { database, store, accountId, memory, checkpoint, logKeys, reader, examine, keptOf };
  }

  /** Without the log nothing is to be seen: chains, heads, hours and balances agree with each other. */
  async function agreesWithItself(store: Store): Promise<void> {
    const { ok, breaks } = await verifyLedger(store);
    assert.deepEqual([ok, breaks], [true, []]);
  }
  const verify = (store: Store, logKeys: string[]) => verifyLog(store, { keysOf: () => Promise.resolve(logKeys), remembered: [], onProgress: () => {} });
  const failuresOf = ({ findings }: Examination) => findings.filter(({ verdict }) => verdict === "fails").map(({ code }) => code);
  const compare = async (store: Store, reader: LogReader, note: string) => {
    const seen = checkpointOf(note);
    return (await compareWithSeen(checkpointOf((await readCheckpoint(store))!.note), { [seen.origin]: note }, reader.readConsistency)).kind;
  };
  const removal = (accountId: string) => ({ accountId, fromSeq: 101, count: 10 });

  it("from which calls were removed is found by comparing it with the log, and by whoever kept a receipt [threat: rewritten-chain]", async () => {
    const { database, store, accountId, logKeys, examine, keptOf } = await openLogged();
    const [kept150, kept200] = [await keptOf(150), await keptOf(200)];
    await removeCalls(database, removal(accountId));
    await agreesWithItself(store);
    assert.equal((await readLedger(store, accountId)).length, 190);
    const report = await verify(store, logKeys);
    assert.equal(report.ok, false);
    assert(report.breaks.length > 0);
    assert(failuresOf(await examine(200, kept200)).includes("entry_missing"), "its number is gone");
    assert.notDeepEqual(failuresOf(await examine(150, kept150)), [], "another entry has its number");
    assert.deepEqual(failuresOf(await examine(100, kept150)).filter((code) => code === "entry_missing"), [], "an entry before the removed ones is still there");
  });

  it("whose log was rewritten with it is found by a kept checkpoint, refused by a witness, and found by the node's own memory [threat: rewritten-log]", async () => {
    const { database, store, accountId, memory, checkpoint, logKeys, reader, examine, keptOf } = await openLogged();
    const kept = await keptOf(200);
    const witness = await openWitness(store, logKeys);
    await removeCalls(database, removal(accountId));
    await emptyLog(database);
    await charge(store, { accountId, count: 30, atMs: hourMs + 2 * msPerHour });
    assert.deepEqual(await extend(store), { size: 276, added: 276, isMore: false });
    await agreesWithItself(store);
    const report = await verify(store, logKeys);
    assert.deepEqual([report.ok, report.size, (await readCheckpoint(store))!.origin], [true, 276, checkpoint.origin], "the store alone does not show it");
    assert.equal(await compare(store, reader, checkpoint.note), "contradicts");
    assert(failuresOf(await examine(200, kept)).includes("log_rewritten"));
    assert.equal(await witness.ask(), "inconsistent");
    witness.close();
    // A node that remembers what it signed does not go on: it announces another log.
    await extend(store, { memories: [memory] });
    const { origin, log } = (await readCheckpoint(store))!;
    assert.deepEqual([origin, log], [`${checkpoint.origin}/2`, 2]);
  });

  it("that was appended to the log once more gives two proofs for one entry, which convince anybody [threat: relogged-chain]", async () => {
    const { database, store, accountId, memory, checkpoint, logKeys, reader, examine, keptOf } = await openLogged();
    const [keptReceipt, keptProof] = [await keptOf(150), (await reader.readProof(150))!];
    const witness = await openWitness(store, logKeys);
    await removeCalls(database, removal(accountId));
    await forgetLogged(database, accountId);
    assert.deepEqual(await extend(store, { memories: [memory] }), { size: 446, added: 190, isMore: false });
    await agreesWithItself(store);
    // The log was only appended to, so that checkpoints and witnesses have nothing against it.
    assert.deepEqual([await compare(store, reader, checkpoint.note), await witness.ask()], ["continues", "cosigned"]);
    witness.close();
    const newProof = (await reader.readProof(150))!;
    const judgement = await judgeEvidence(keptProof, newProof, { logKeys, witnessKeys: [] });
    assert.deepEqual([judgement.proves, judgement.code], [true, "two_entries"]);
    const examination = await examine(150, keptReceipt);
    assert(failuresOf(examination).includes("entry_changed"));
    assert.deepEqual(examination.evidence, [keptProof, newProof]);
    assert.equal((await verify(store, logKeys)).ok, false);
    assert.equal((await judgeEvidence(keptProof, (await reader.readProof(100))!, { logKeys, witnessKeys: [] })).proves, false, "an entry that was not changed proves nothing");
  });

  it("from which the newest hour was cut off, with all that was logged and signed of it, is found by a kept receipt, a kept checkpoint and the node's own memory [threat: truncated-ledger]", async () => {
    const { database, store, memory, checkpoint, logKeys, reader, examine, keptOf } = await openLogged();
    const kept = await keptOf(200);
    const witness = await openWitness(store, logKeys);
    await truncateFrom(database, hourMs + msPerHour);
    await agreesWithItself(store);
    const report = await verify(store, logKeys);
    assert.deepEqual([report.ok, report.size], [true, 240], "the store alone does not show it");
    assert.equal(await compare(store, reader, checkpoint.note), "contradicts");
    assert(failuresOf(await examine(200, kept)).includes("entry_missing"));
    assert.equal(await witness.ask(), "other_size");
    witness.close();
    assert.match((await verifyLog(store, { keysOf: undefined, remembered: [memory.kept!], onProgress: () => {} })).breaks[0]!.problem, /behind the checkpoint of size 256/);
    await extend(store, { memories: [memory] });
    const { origin, size } = (await readCheckpoint(store))!;
    assert.deepEqual([origin, size], [`${checkpoint.origin}/2`, 240]);
  });
});
