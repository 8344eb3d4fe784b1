/** A store with a log that is put back to an earlier state: what was signed since then is not contradicted, and still verifies. */
import { judgeEvidence } from "@assay/tlog/evidence.ts";
import { formatReceiptProof, verifyReceiptProof } from "@assay/tlog/proof.ts";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { selectEntries } from "../src/money/ledger/ledger.table.ts";
import { readLogKeys } from "../src/money/ledger/log/log-keys.ts";
import { createFileMemory } from "../src/money/ledger/log/log-memory.ts";
import { proveInclusion } from "../src/money/ledger/log/prove-entry.ts";
import { readCheckpoint } from "../src/money/ledger/log/read-log.ts";
import { readLogStatus } from "../src/money/ledger/log/witness/read-log-status.ts";
import { verifyLedgerAndLog } from "../src/money/ledger/log/verify-ledger-and-log.ts";
import { openStore, type StoreSettings } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { makeBackup } from "../src/transfer/backup/make-backup.ts";
import { restoreBackup } from "../src/transfer/backup/restore-backup.ts";
import { extend, logContextOf } from "./log/log-context.ts";
import { makeAccount } from "./make-account.ts";
import { makeCharge, makeCharger } from "./make-charge.ts";
import { startPostgres, whyPostgresIsSkipped } from "./start-postgres.ts";
import { makeTestFolder, testSecretKey } from "./start-service.ts";

const nowMs = Date.UTC(2026, 10, 15, 12);

async function proofOf(store: Store, accountId: string, seq: number): Promise<string> {
  const [entry] = await selectEntries(store.db, { accountId, afterSeq: seq - 1, limit: 1 }).execute();
  const { index, path, checkpoint } = (await proveInclusion(store, { accountId, seq }))!;
  return formatReceiptProof({ accountId, seq, hash: entry!.hash }, { index, path, checkpointNote: checkpoint.note });
}

/** 20 calls are logged, and 5 more after the copy was taken; then the store is the copy again. */
async function putBack(settings: StoreSettings, { takeCopy, restoreCopy, reason }: { takeCopy(): Promise<void>; restoreCopy(): Promise<void>; reason: RegExp }): Promise<void> {
  const open = async () => (await openStore(settings, { nowMs, onConnectionError: () => {} })).store;
  const memories = [createFileMemory(settings.dataDir)];
  async function chargeAndLog(store: Store, accountId: string, count: number): Promise<void> {
    const charger = makeCharger(store, { nowMs });
    for (let call = 0; call < count; call += 1) await charger.charge(makeCharge({ accountId, atMs: nowMs }));
    await extend(store, { memories });
  }
  const before = await open();
  const { accountId } = await makeAccount(before, { nowMs });
  await chargeAndLog(before, accountId, 20);
  await before.close();
  await takeCopy();

  const later = await open();
  await chargeAndLog(later, accountId, 5);
  const { origin, size } = (await readCheckpoint(later))!;
  assert.equal(size, 25);
  const logKeys = (await readLogKeys(logContextOf(later), origin)).map(({ vkey }) => vkey);
  const keptProofs = [await proofOf(later, accountId, 5), await proofOf(later, accountId, 25)];
  await later.close();
  await restoreCopy();

  const restored = await open();
  await chargeAndLog(restored, accountId, 2);
  const now = (await readCheckpoint(restored))!;
  assert.deepEqual([now.origin, now.size], [`${origin}/2`, 22]);
  const status = (await readLogStatus(restored, { witnesses: [], nowMs }))!;
  assert.deepEqual([status.origin, status.path, status.previous.map((each) => [each.origin, each.path])], [now.origin, "/log/2", [[origin, "/log"]]]);
  assert.match(status.previous[0]!.reason, reason);
  const { ok, breaks } = await verifyLedgerAndLog(restored);
  assert.deepEqual([ok, breaks], [true, []]);
  // The key did not change, so the service still shows it under the old name, and the old proofs convince as before.
  assert.deepEqual((await readLogKeys(logContextOf(restored), origin)).map(({ vkey }) => vkey), logKeys);
  for (const proof of keptProofs) assert.equal((await verifyReceiptProof(proof, undefined, { logKeys, witnessKeys: [] })).checkpoint.size, 25);
  const newKeys = (await readLogKeys(logContextOf(restored), now.origin)).map(({ vkey }) => vkey);
  const judgement = await judgeEvidence(keptProofs[0]!, await proofOf(restored, accountId, 5), { logKeys: [...logKeys, ...newKeys], witnessKeys: [] });
  assert.deepEqual([judgement.proves, judgement.code], [false, "different_logs"], "an announced recovery is no fraud");
  await restored.close();
}

describe("a store that was put back", () => {
  it("from a backup goes on in a new log, which /api/status announces, and old proofs verify [threat: rolled-back-store]", async () => {
    const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
    const file = join(makeTestFolder(), "assay.backup");
    await putBack(settings, {
      takeCopy: async () => assert.equal((await makeBackup({ dataDir: settings.dataDir, file, secretKey: testSecretKey, force: false, nowMs, version: "test" })).kind, "made"),
      restoreCopy: async () => assert.equal((await restoreBackup({ dataDir: settings.dataDir, file, secretKey: testSecretKey, force: true, nowMs })).kind, "restored"),
      reason: /^the database was restored from a backup of 2026-11-15T12:00:00/,
    });
  });

  it("to a point in time by PostgreSQL's own tools does so too: the node remembers what it signed [threat: rolled-back-store]", { skip: whyPostgresIsSkipped() }, async () => {
    const postgres = await startPostgres();
    const copy = `${postgres.dataFolder}-copy`;
    const copyFolder = (from: string, to: string) => assert.equal(spawnSync("cp", ["--archive", from, to]).status, 0);
    try {
      await putBack({ dataDir: makeTestFolder(), ...(await postgres.newMigratedDatabase()) }, {
        async takeCopy() {
          await postgres.halt();
          copyFolder(postgres.dataFolder, copy);
          await postgres.restart();
        },
        async restoreCopy() {
          await postgres.halt();
          assert.equal(spawnSync("rm", ["-r", postgres.dataFolder]).status, 0);
          copyFolder(copy, postgres.dataFolder);
          await postgres.restart();
        },
        reason: /^the database is behind the checkpoint of size 25$/,
      });
    } finally {
      await postgres.stop();
    }
  });
});
