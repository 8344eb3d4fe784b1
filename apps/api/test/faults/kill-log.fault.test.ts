import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { it } from "node:test";
import { readPastLogKeys } from "../../src/money/ledger/log/log-keys.ts";
import { readCheckpoint } from "../../src/money/ledger/log/read-log.ts";
import { verifyLedgerAndLog } from "../../src/money/ledger/log/verify-ledger-and-log.ts";
import { describeBothStores } from "../both-stores.ts";
import { addEntries, extend, logContextOf } from "../log/log-context.ts";
import { makeAccount } from "../make-account.ts";
import { makeCharge, makeCharger } from "../make-charge.ts";
import { waitUntil } from "../send.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const roundCount = 4;
const entriesPerRound = 5_000;
const waitMsMax = 60_000;
const program = new URL("../log/extend-forever.ts", import.meta.url).pathname;

describeBothStores("processes that are killed while they extend the log", (open, dialect) => {
  it(`leave one log with every entry once, in ${roundCount} rounds of kill -9, two at a time, while calls are charged`, async (t) => {
    const random = createSeededRandom();
    t.diagnostic(`${dialect}: ASSAY_TEST_SEED=${random.seed}`);
    const { store, dataDir, databaseUrl } = await open();
    const [large, busy] = [await makeAccount(store), await makeAccount(store)];
    const sizeNow = async () => (await readCheckpoint(store))?.size ?? 0;
    const published: { size: number; note: string }[] = [];
    for (let round = 0; round < roundCount; round += 1) {
      await addEntries(store, large.accountId, entriesPerRound);
      const before = await sizeNow();
      const children = [1, 2].map(() => spawn(process.execPath, [program, JSON.stringify({ dataDir, databaseUrl })], { stdio: "ignore" }));
      t.after(() => children.forEach((child) => child.kill("SIGKILL")));
      await waitUntil(async () => (await sizeNow()) > before, "the log grows", waitMsMax);
      const charger = makeCharger(store, { nowMs: Date.now() });
      for (let call = random.between(0, 40); call >= 0; call -= 1) await charger.charge(makeCharge({ accountId: busy.accountId, atMs: Date.now() }));
      const ended = children.map((child) => once(child, "exit"));
      for (const child of children) child.kill("SIGKILL");
      for (const [, signal] of await Promise.all(ended)) assert.equal(signal, "SIGKILL", "it was extending the log to its end");
      published.push((await readCheckpoint(store))!);
    }
    await extend(store);
    const keysOf = (origin: string) => readPastLogKeys(logContextOf(store), origin);
    const report = await verifyLedgerAndLog(store, { keysOf, remembered: [], onProgress: () => {} });
    assert.deepEqual([report.ok, report.breaks, report.log?.logs, report.log?.size], [true, [], 1, report.entries]);
    for (const { size, note } of published) {
      const row = await store.db.selectFrom("log_checkpoints").select("note").where("size", "=", size).executeTakeFirstOrThrow();
      assert.equal(row.note, note, "what was published stays as it was");
    }
  });
});
