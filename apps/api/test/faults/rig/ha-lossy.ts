import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryFileName, parseRemembered } from "../../../src/money/ledger/log/log-memory.ts";
import { verifyLedger } from "../../../src/money/ledger/verify-ledger.ts";
import { waitUntil } from "../../send.ts";
import { auditCalls } from "./audit-calls.ts";
import { isAnswered } from "./call-book.ts";
import { readLedgerRows } from "./ha-ledger-rows.ts";
import { outageMsMax, type Stage, startWatchedLoad, untilSame, watchDurability } from "./ha-round.ts";

const recoveryMsMax = 60_000;
const logMsMax = 60_000;
/** The log is extended every ten seconds, and whoever does it remembers its newest checkpoint: now instead. */
const extendLogNow = "update jobs set next_run_at = 0 where name = 'extend_log'";

export type LossyResult = { outageMs: number; acknowledged: number; lost: number; durability: string[]; logs: string[] };

/**
 * The pair without synchronous replication. The standby falls behind, and the primary is killed: what it had acknowledged
 * meanwhile is lost.
 */
export async function loseAcknowledged(stage: Stage): Promise<LossyResult> {
  const { cluster, service, book, random } = stage;
  const { primary: old, standby } = await cluster.untilPair();
  const before = new Set(book.records);
  // The second one: how far behind a standby may be and still be promoted.
  await old.configure({ synchronous_mode: false, maximum_lag_on_failover: 1_000_000_000 });
  const showNames = () => old.query<{ synchronous_standby_names: string }>("show synchronous_standby_names");
  await waitUntil(async () => (await showNames())[0]!.synchronous_standby_names === "", "commits wait for nobody", recoveryMsMax);
  const status = watchDurability(service);
  book.round += 1;
  const watched = startWatchedLoad(stage);
  const readCheckpoint = async () => (await old.query<{ size: number }>("select coalesce(max(size), 0)::int as size from log_checkpoints", "assay"))[0]!.size;
  const readLogs = () => standby.query<{ number: number; reason: string }>("select number::int as number, reason from logs order by number", "assay");
  try {
    await sleep(random.between(500, 1_000));
    // The node asks the primary every few seconds.
    await waitUntil(() => status.seen.at(-1) === "no", "the status says that a call does not survive the loss of the primary");
    await waitUntil(async () => (await cluster.otherThan(old).ask()) !== undefined, "the standby answers");
    await old.replicationWay.hold();
    const [size, logsBefore] = [await readCheckpoint(), await readLogs()];
    await old.query(extendLogNow, "assay");
    await waitUntil(() => (parseRemembered(readFileSync(join(service.dataDir, memoryFileName), "utf8"))?.size ?? 0) > size, "the node remembers a checkpoint that the standby does not have", logMsMax);
    const saidBefore = await status.stop();
    assert.equal(saidBefore.at(-1), "no", "and says so to the end");
    const faultMs = performance.now();
    await old.machine.kill9();
    watched.mark();
    await waitUntil(() => watched.firstAnswerMs() !== undefined, "the service answers again", recoveryMsMax);
    const outageMs = Math.round(watched.firstAnswerMs()! - faultMs);
    assert.ok(outageMs <= outageMsMax, `the service was back after ${outageMs} ms`);
    // The log of the lost entries was signed, and is not continued: another one is opened, and says why.
    await standby.query(extendLogNow, "assay");
    await waitUntil(async () => (await readLogs()).length > logsBefore.length, "the contradiction to the remembered checkpoint is noticed", logMsMax);
    await watched.load.stop();
    const logs = (await readLogs()).slice(logsBefore.length).map(({ reason }) => reason);

    const serials = new Set((await readLedgerRows(standby)).map(({ serial }) => serial));
    const lost = book.records.filter((record) => isAnswered(record, 200) && !serials.has(record.serial));
    assert.ok(lost.every((record) => !before.has(record)), "what was acknowledged while the standby was synchronous is still there");
    const store = cluster.openOn(standby);
    try {
      await auditCalls(store, book.records.filter((record) => !lost.includes(record)));
      assert.deepEqual((await verifyLedger(store)).breaks, []);
    } finally {
      await store.close();
    }
    await old.replicationWay.letThrough();
    old.start();
    await cluster.untilPair({ synchronous: false });
    await standby.configure({ synchronous_mode: true, maximum_lag_on_failover: 1_048_576 });
    await cluster.untilPair();
    await untilSame(standby, old);
    const acknowledged = book.records.filter((record) => record.round === book.round && isAnswered(record, 200)).length;
    return { outageMs, acknowledged, lost: lost.length, durability: saidBefore, logs };
  } finally {
    await old.replicationWay.letThrough();
    await watched.load.stop();
    await status.stop();
  }
}
