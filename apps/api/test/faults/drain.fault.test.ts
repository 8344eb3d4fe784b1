import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../src/store/open-store.ts";
import { makeAccount, vastTier } from "../make-account.ts";
import { waitUntil } from "../send.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { countAttempts, createCallBook, isAnswered } from "./rig/call-book.ts";
import { startLoad } from "./rig/load.ts";
import { areRunning, hasOlderNode, type NpmStart, npmStart, type NpmStartOptions, onOlderNode, onThisNode } from "./rig/npm-start.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const connectionCount = 16;

/** Stops `npm start` under load: every call that arrived must be answered, and no process may be left. */
async function endUnderLoad(t: TestContext, options: NpmStartOptions, end: (running: NpmStart) => void): Promise<NpmStart> {
  const random = createSeededRandom();
  t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
  const running = await npmStart(options);
  const settings = { databaseUrl: undefined, dataDir: running.dataDir };
  const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
  try {
    const accounts = [await makeAccount(store, { tier: vastTier }), await makeAccount(store, { tier: vastTier })];
    const book = createCallBook();
    // Each client ends when its connection is refused.
    const load = startLoad({ book, random, accounts, connections: connectionCount, urls: [running.url], endsWhenCut: true });
    await waitUntil(() => book.records.filter((record) => isAnswered(record, 200)).length > 20 * connectionCount, "there is load");
    await sleep(random.between(0, 200));
    const pids = running.tree().map(({ pid }) => pid);
    assert.ok(pids.length >= 2, "npm and the service are running");
    const callsBefore = book.records.length;
    end(running);
    await load.ended;
    await waitUntil(() => areRunning(pids).length === 0, `no process of the tree is left: ${JSON.stringify(running.tree())}`, 30_000);
    const attempts = countAttempts(book.records);
    const cut = book.records.flatMap((record) => record.attempts.filter((each) => each.kind === "cut"));
    assert.deepEqual(cut, [], `${cut.length} calls were cut instead of answered`);
    assert.equal(attempts["refused"], connectionCount, "every client continued until the port was closed");
    assert.deepEqual(Object.keys(attempts).toSorted(), ["200", "refused"], "every call that arrived was answered with 200");
    const audit = await auditCalls(store, book.records);
    assert.equal(audit.entries, audit.answered);
    t.diagnostic(`${JSON.stringify(attempts)}, ${book.records.length - callsBefore} calls started after the signal; ${pids.length} processes exited`);
    return running;
  } finally {
    running.kill9();
    await store.close();
  }
}

const isLinux = existsSync("/proc/self/stat");

describe("npm start that is stopped under load", { skip: isLinux ? false : "processes are read from /proc" }, () => {
  it("by SIGTERM: answers all pending calls, exits with 0 and leaves no process", async (t) => {
    const running = await endUnderLoad(t, onThisNode(), ({ npm }) => npm.kill("SIGTERM"));
    assert.equal(await running.whenEnded, 0, running.logs());
  });

  describe("on a Node older than the service needs", { skip: isLinux && hasOlderNode() ? false : "no Node from 20 to 23 in PATH" }, () => {
    it("by SIGTERM: does the same", async (t) => {
      const running = await endUnderLoad(t, onOlderNode(), ({ npm }) => npm.kill("SIGTERM"));
      assert.equal(await running.whenEnded, 0, running.logs());
    });

    it("by killing the bootstrap: the service notices, drains and exits by itself", async (t) => {
      await endUnderLoad(t, onOlderNode(), (running) => {
        const bootstrap = running.tree().find(({ command }) => /^\S*node \S*bootstrap\.mjs /.test(command));
        assert.ok(bootstrap, JSON.stringify(running.tree()));
        process.kill(bootstrap.pid, "SIGKILL");
      });
    });
  });
});
