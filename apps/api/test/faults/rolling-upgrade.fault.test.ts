/**
 * A two-node installation is upgraded from the version before to this one, node by node, under load, and back again: both
 * versions serve side by side on the same tables.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { hasRedisServer } from "../access/start-redis.ts";
import { send, waitUntil } from "../send.ts";
import { whyPostgresIsSkipped } from "../start-postgres.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { countAttempts, createCallBook, isAnswered, unsettledWithKey } from "./rig/call-book.ts";
import { type Load, retryCalls, startLoad } from "./rig/load.ts";
import { checkOutPrevious, currentVersion, openUpgradeRig, readMigrationNames, type UpgradeRig, type Version, whyUpgradeIsSkipped } from "./rig/open-upgrade.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";
import { whyNginxIsSkipped } from "./rig/start-nginx.ts";

const skip = whyPostgresIsSkipped() || whyNginxIsSkipped() || (hasRedisServer() ? false : "no redis-server") || whyUpgradeIsSkipped();
const connectionCount = 12;
/** Between two calls of a client: nodes that start need the processor, too. */
const thinkMsMax = 20;
const callsBetween = 10 * connectionCount;
const replaysMax = 60;

/** What tells this version from the one before: its status has `workers`. */
async function versionAt(node: { url: string }): Promise<Version["name"]> {
  return "workers" in (await send(node, "/api/status")).json() ? "current" : "previous";
}

describe("a rolling upgrade under load", { skip }, () => {
  const random = createSeededRandom();
  const book = createCallBook();
  let previous: Version;
  let rig: UpgradeRig;
  let load: Load;

  const answered = () => book.records.filter((record) => isAnswered(record, 200));
  const untilCalls = () => {
    const from = answered().length;
    return waitUntil(() => answered().length >= from + callsBetween, "calls are answered", 60_000);
  };

  before(async () => {
    previous = checkOutPrevious();
    rig = await openUpgradeRig(previous);
    // Every call has a key: a caller may repeat it whatever happened.
    load = startLoad({ book, random, accounts: rig.accounts, connections: connectionCount, urls: [rig.url], endsWhenCut: false, keyedShare: 1, thinkMsMax });
  });

  after(async () => {
    await load?.stop();
    await rig?.close();
  });

  /** Replaces one node after the other, and lets both versions serve in between. */
  async function replaceAll(version: Version): Promise<void> {
    for (const [index, node] of rig.nodes.entries()) {
      await untilCalls();
      await sleep(random.between(0, 200));
      assert.equal(await node.replace(version), 0, "the node drains");
      await untilCalls();
      const versions = await Promise.all(rig.nodes.map(versionAt));
      assert.equal(versions.filter((each) => each === version.name).length, index + 1, versions.join(" and "));
    }
  }

  /** Repeats some calls that the other version answered: each must be answered the same, from the store. */
  async function replaySome(): Promise<void> {
    const known = answered();
    const chosen = Array.from({ length: Math.min(replaysMax, known.length) }, () => known[random.between(0, known.length - 1)]!);
    await retryCalls(rig.url, [...new Set(chosen)]);
  }

  it("only adds migrations, so that the previous version is tested on the new tables, on the way back too", async () => {
    // One that removes something has no way back, and says so in CHANGELOG.md.
    const known = await readMigrationNames(previous);
    assert.deepEqual((await readMigrationNames(currentVersion)).slice(0, known.length), known);
  });

  it("to this version: both versions serve side by side", async (t) => {
    t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
    await replaceAll(currentVersion);
    await replaySome();
  });

  it("and back again", async () => {
    await replaceAll(previous);
    await replaySome();
  });

  it("loses and doubles no call, and leaves no error that a repetition does not mend", async (t) => {
    await load.stop();
    const attempts = countAttempts(book.records);
    const unsettled = unsettledWithKey(book.records);
    await retryCalls(rig.url, unsettled);
    assert.deepEqual(unsettledWithKey(book.records), []);
    const audit = await auditCalls(rig.store, book.records);
    assert.equal(audit.entries, audit.answered);
    t.diagnostic(`${JSON.stringify(attempts)}, ${unsettled.length} repeated; ${audit.entries} entries`);
  });
});
