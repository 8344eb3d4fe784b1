import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { makeAccount } from "../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { waitUntil } from "../../test/send.ts";
import { whyPostgresIsSkipped } from "../../test/start-postgres.ts";
import { askServer, type PostgresPair, startPostgresPair } from "../../test/store/start-postgres-pair.ts";
import { findOutWhetherCommitted, insertFence } from "./commit-fence.ts";
import { describeDurability, readingMsMax, reportDurability } from "./durability.ts";
import { openPostgres } from "./open-postgres.ts";
import { CommitUnknown } from "./store-failure.ts";
import type { PostgresStore } from "./store.ts";

describe("a commit with a synchronous standby", { skip: whyPostgresIsSkipped() }, () => {
  let pair: PostgresPair;
  let store: PostgresStore;
  let accountId: string;
  let database: string;
  before(async () => {
    pair = await startPostgresPair();
    const { databaseUrl } = await pair.newMigratedDatabase();
    database = /[^/]+$/.exec(databaseUrl)![0];
    store = openPostgres(databaseUrl, () => {});
    ({ accountId } = await makeAccount(store));
    await pair.setSynchronous(true);
  });
  after(async () => {
    await store?.close();
    await pair?.stop();
  });

  const waitingForStandby = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  const charger = () => makeCharger(store, { nowMs: Date.now() });
  const settledAs = (work: Promise<unknown>) => work.then(() => "acknowledged", (error: unknown) => (error instanceof CommitUnknown ? "unknown" : `refused: ${String(error)}`));

  it("is not acknowledged when somebody cancels its wait for the standby, until the standby has it", async () => {
    pair.standby.pause();
    const charge = makeCharge({ accountId, atMs: Date.now() });
    let outcome: string | undefined;
    const told = settledAs(charger().charge(charge)).then((each) => (outcome = each));
    const cancelled = new Set<number>();
    const until = performance.now() + 2_000;
    // Also the statements that find out what became of it.
    while (performance.now() < until || cancelled.size === 0) {
      for (const { pid } of await askServer<{ pid: number }>(pair.primary, waitingForStandby)) {
        cancelled.add(pid);
        await askServer(pair.primary, `SELECT pg_cancel_backend(${pid})`);
      }
      assert.equal(outcome, undefined, "nobody may be told that it is charged");
    }
    assert((await store.pool.query("SELECT 1 FROM ledger_entries WHERE ref = $1", [charge.ref])).rowCount === 1, "it has committed on the primary");
    pair.standby.resume();
    assert.equal(await told, "acknowledged", "and is, once the standby has it");
    assert(cancelled.size > 0);
  });

  it("is not acknowledged after a crash that shows it, until the standby has it", async () => {
    const findOut = () => settledAs(findOutWhetherCommitted(store.commitPool, "crashed", () => Promise.resolve({})).then((found) => assert(found, "it has committed")));
    pair.standby.pause();
    const cut = askServer(pair.primary, insertFence.replace("$1", "'crashed'"), database).catch(() => {});
    await waitUntil(async () => (await askServer(pair.primary, waitingForStandby)).length > 0, "the commit waits for the standby");
    pair.primary.kill9();
    await cut;
    await pair.primary.restart();
    const isSeen = async () => (await store.pool.query("SELECT 1 FROM commit_batches WHERE id = 'crashed'")).rowCount === 1;
    await waitUntil(() => isSeen().catch(() => false), "the commit can be seen");
    assert.equal(await findOut(), "unknown");
    pair.standby.resume();
    await waitUntil(async () => (await findOut()) === "acknowledged", "the standby has it");
  });

  it("is said to survive only while it does, and only as long as that was read", async () => {
    const survives = (laterMs = 0) => describeDurability(store, performance.now() + laterMs).survives_loss_of_primary;
    const reportedAs = (hosts: number) => {
      const levels: string[] = [];
      reportDurability({ log: { info: () => levels.push("info"), warn: () => levels.push("warn") }, store: { ...store, hosts } });
      return levels.join();
    };
    const becomes = async (expected: string) => waitUntil(() => survives() === expected, `durability is ${expected}`, 30_000);
    await becomes("yes");
    assert.deepEqual([reportedAs(1), reportedAs(2)], ["info", "info"]);
    assert.equal(survives(readingMsMax + 5_000), "unknown");
    await pair.setSynchronous(false);
    await becomes("no");
    assert.deepEqual([reportedAs(1), reportedAs(2)], ["info", "warn"], "with two servers it could");
    await pair.setSynchronous(true);
    await becomes("yes");
    pair.primary.kill9();
    await waitUntil(() => store.ping().then(() => false, () => true), "the primary is gone");
    assert.notEqual(survives(readingMsMax + 1), "yes");
  });
});
