/**
 * Requests that no sane client sends, to every route there is, within one process. What leads to a new answer, or to code
 * that did not run before, is changed further. `ASSAY_FUZZ_REQUESTS` says how many (a million take an hour or more),
 * `ASSAY_TEST_SEED` which ones.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { FuzzOutcome } from "./fuzz/fuzz-worker.ts";

const worker = new URL("./fuzz/fuzz-worker.ts", import.meta.url).pathname;
/** What bounded caches may still take after half of all requests. */
const growthBytesMax = 24 * 1024 * 1024;
const outputBytesMax = 64 * 1024 * 1024;

describe("whatever is sent to whatever address", () => {
  let outcome: FuzzOutcome;

  before(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [worker], { maxBuffer: outputBytesMax });
    outcome = JSON.parse(stdout) as FuzzOutcome;
  });

  it("is answered as described, by no failure of ours, and always", (test) => {
    const { seed, requests, seconds, routes, routesReached, blocks, statuses, findings } = outcome;
    test.diagnostic(`seed ${seed}: ${requests} requests in ${seconds} s, ${routes} routes, ${routesReached} of them with a success, ${blocks} blocks of code run`);
    test.diagnostic(`statuses: ${JSON.stringify(statuses)}`);
    assert.deepEqual(findings, [], `seed ${seed}; once it is mended, add it to fuzz-regressions.json`);
  });

  it("is answered as described where it was once answered otherwise", () => {
    assert.deepEqual(outcome.regressions, []);
  });

  it("goes to every documented route, and succeeds there too", () => {
    assert.deepEqual(outcome.untried, []);
    assert.deepEqual(outcome.unreached, [], `seed ${outcome.seed}`);
  });

  it("leaves nothing behind: no memory, no prototype, no unknown field, no break in the ledger", (test) => {
    const { seed, heapAtHalfBytes, heapAtEndBytes, changedPrototypes, ledger, isUnknownStored } = outcome;
    const [half, end] = [heapAtHalfBytes, heapAtEndBytes].map((bytes) => (bytes / 1024 / 1024).toFixed(1));
    test.diagnostic(`heap after half of the requests: ${half} MiB, after all of them: ${end} MiB; ${ledger.entries} ledger entries`);
    assert(heapAtHalfBytes > 0 && heapAtEndBytes - heapAtHalfBytes < growthBytesMax, `seed ${seed}`);
    assert.deepEqual(changedPrototypes, []);
    assert(ledger.ok && ledger.entries > 0);
    assert.equal(isUnknownStored, false, `seed ${seed}`);
  });
});
