/**
 * Coverage-guided fuzzing of every route within one process. Requests that lead to a new kind of answer or to new code
 * are mutated further. `ASSAY_FUZZ_REQUESTS` sets their number (a million take an hour or more), `ASSAY_TEST_SEED`
 * the seed.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { FuzzOutcome } from "./fuzz/fuzz-worker.ts";

const worker = new URL("./fuzz/fuzz-worker.ts", import.meta.url).pathname;
/** Growth allowed after half of all requests, for bounded caches that are still filling. */
const growthBytesMax = 24 * 1024 * 1024;
const outputBytesMax = 64 * 1024 * 1024;

describe("a fuzzed request", () => {
  let outcome: FuzzOutcome;

  before(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [worker], { maxBuffer: outputBytesMax });
    outcome = JSON.parse(stdout) as FuzzOutcome;
  });

  it("always gets an answer that matches its description, and never a 5xx [threat: hostile-request]", (test) => {
    const { seed, requests, seconds, routes, routesReached, blocks, statuses, findings } = outcome;
    test.diagnostic(`seed ${seed}: ${requests} requests in ${seconds} s, ${routes} routes, ${routesReached} of them with a success, ${blocks} code blocks covered`);
    test.diagnostic(`statuses: ${JSON.stringify(statuses)}`);
    assert.deepEqual(findings, [], `seed ${seed}; after fixing it, add it to fuzz-regressions.json`);
    assert.deepEqual(outcome.undescribed, [], `seed ${seed}`);
  });

  it("that once failed gets the right answer", () => {
    assert.deepEqual(outcome.regressions, []);
  });

  it("reaches every documented route, with successes on each", () => {
    assert.deepEqual(outcome.untried, []);
    assert.deepEqual(outcome.unreached, [], `seed ${outcome.seed}`);
  });

  it("leaks no memory, pollutes no prototype, stores no unknown field and does not break the ledger [threat: prototype-pollution]", (test) => {
    const { seed, heapAtHalfBytes, heapAtEndBytes, changedPrototypes, ledger, isUnknownStored } = outcome;
    const [half, end] = [heapAtHalfBytes, heapAtEndBytes].map((bytes) => (bytes / 1024 / 1024).toFixed(1));
    test.diagnostic(`heap after half of the requests: ${half} MiB, after all: ${end} MiB; ${ledger.entries} ledger entries`);
    assert(heapAtHalfBytes > 0 && heapAtEndBytes - heapAtHalfBytes < growthBytesMax, `seed ${seed}`);
    assert.deepEqual(changedPrototypes, []);
    assert(ledger.ok && ledger.entries > 0);
    assert.equal(isUnknownStored, false, `seed ${seed}`);
  });
});
