import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { addEntries, extend } from "../../../test/log/log-context.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeTestFolder, testSecretKey } from "../../../test/start-service.ts";
import { createFileMemory } from "../../money/ledger/log/log-memory.ts";
import { readLogStatus } from "../../money/ledger/log/witness/read-log-status.ts";
import { verifyLedgerAndLog } from "../../money/ledger/log/verify-ledger-and-log.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");

const statusOf = (store: Store) => readLogStatus(store, { witnesses: [], nowMs });

async function inStore<Result>(dataDir: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs, onConnectionError: () => {} });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

describe("the log of a restored store", () => {
  it("goes on under another name with all entries, each time, and nowhere under one that was used [threat: rolled-back-store]", async () => {
    const dataDir = makeTestFolder();
    const file = join(makeTestFolder(), "assay.backup");
    const memories = [createFileMemory(dataDir)];
    const { accountId } = await inStore(dataDir, (store) => makeAccount(store));
    const log = (entries: number) =>
      inStore(dataDir, async (store) => {
        await addEntries(store, accountId, entries);
        await extend(store, { memories });
        return (await statusOf(store))!;
      });
    const first = await log(300);
    const made = await makeBackup({ dataDir, secretKey: testSecretKey, version: "0", nowMs, file, force: false });
    assert.equal(made.kind, "made");
    await log(20);
    const restore = (to: string) => restoreBackup({ dataDir: to, secretKey: testSecretKey, file, force: true, nowMs });
    assert.equal((await restore(dataDir)).kind, "restored");
    const second = await log(1);
    assert.deepEqual([second.origin, second.path, second.size], [`${first.origin}/2`, "/log/2", 301]);
    assert.deepEqual(second.previous.map(({ origin, size, reason }) => [origin, size, reason]), [[first.origin, 300, "the database was restored from a backup of 2026-01-01T00:00:00.000Z"]]);
    assert.equal((await inStore(dataDir, (store) => verifyLedgerAndLog(store))).ok, true);
    assert.equal((await restore(dataDir)).kind, "restored");
    assert.equal((await log(0)).origin, `${first.origin}/3`);
    const elsewhere = makeTestFolder();
    assert.equal((await restore(elsewhere)).kind, "restored");
    assert.equal((await inStore(elsewhere, statusOf))!.origin, `${first.origin}/2`);
  });
});
