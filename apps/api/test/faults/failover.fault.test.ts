/**
 * One node on a pair of PostgreSQL under Patroni, under load. The primary is lost in each way once; the long form does it
 * several times:
 *
 *   npm run test:faults -- failover --rounds 10
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { makeAccount, vastTier } from "../make-account.ts";
import { startService } from "../start-service.ts";
import { createCallBook } from "./rig/call-book.ts";
import { openCluster, whyHaIsSkipped } from "./rig/ha-cluster.ts";
import { listPrimaryFaults } from "./rig/ha-faults.ts";
import { startFrontends, whyFrontendsAreSkipped } from "./rig/ha-frontends.ts";
import { loseAcknowledged } from "./rig/ha-lossy.ts";
import { outageMsMax, playRound, type RoundResult, type Stage, watchStarts } from "./rig/ha-round.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

/** Set by `npm run test:faults -- --rounds N`. */
const rounds = Number(process.env.ASSAY_TEST_ROUNDS ?? 1);
const accountCount = 4;

function summarise(name: string, results: readonly RoundResult[]): string {
  const sum = (of: (result: RoundResult) => number) => results.reduce((total, each) => total + of(each), 0);
  const range = (of: (result: RoundResult) => number) => `${(Math.min(...results.map(of)) / 1_000).toFixed(1)} to ${(Math.max(...results.map(of)) / 1_000).toFixed(1)} s`;
  return (
    `${name}: ${results.length} times; service again after ${range((each) => each.outageMs)} (bound: ${outageMsMax / 1_000} s), ` +
    `a standby again ${range((each) => each.rejoinMs)} after the fault ended; ${sum((each) => each.calls)} calls, ` +
    `${sum((each) => each.acknowledged)} acknowledged, none lost, none twice; ${sum((each) => each.unanswered)} billed without an answer; ` +
    `${sum((each) => each.retried)} retried with their keys; ${sum((each) => each.stray)} entries of the old primary discarded`
  );
}

/** The input of `node bench/capacity.ts --failover FILE`. */
function measure(fault: string, results: readonly RoundResult[]): string {
  const seconds = results.map(({ outageMs }) => Number((outageMs / 1_000).toFixed(1))).toSorted((one, other) => one - other);
  return JSON.stringify({ failover: { fault, times: results.length, medianSeconds: seconds[Math.floor(seconds.length / 2)], longestSeconds: seconds.at(-1) } });
}

describe("a node on a pair of PostgreSQL under Patroni", { skip: whyHaIsSkipped() }, () => {
  let stage: Stage;
  before(async () => {
    const random = createSeededRandom();
    process.stdout.write(`ASSAY_TEST_SEED=${random.seed}\n`);
    const cluster = await openCluster();
    const store = cluster.openOn((await cluster.untilPair()).primary);
    const accounts = [];
    for (let made = 0; made < accountCount; made += 1) accounts.push(await makeAccount(store, { tier: vastTier }));
    await store.close();
    const service = await startService({ databaseUrl: cluster.databaseUrl });
    const book = createCallBook();
    stage = { cluster, service, accounts, book, startedMs: watchStarts(book), random };
  });
  after(async () => {
    await stage?.service.kill9();
    await stage?.cluster.close();
  });

  for (const name of ["killed", "frozen", "cut_off", "half_cut_off"] as const) {
    it(`keeps every acknowledged call once when the primary is ${name.replaceAll("_", " ")}, goes on by itself within 15 s, and is not deceived by the old one`, async () => {
      const results: RoundResult[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const result = await playRound(stage, listPrimaryFaults(stage.cluster)[name]).catch((error: Error) => {
          throw new Error(`seed ${stage.random.seed}, ${name}, round ${round + 1}: ${error.message}\n${stage.service.logs().slice(-3_000)}\n${stage.cluster.logs()}`, { cause: error });
        });
        results.push(result);
        process.stdout.write(`${name} ${round + 1}: ${JSON.stringify(result)}\n`);
        assert.deepEqual(result.durability, ["yes", "no", "yes"]);
      }
      process.stdout.write(`${summarise(name, results)}\n${measure(name.replaceAll("_", " "), results)}\n`);
    });
  }

  it("does the same behind PgBouncer and HAProxy, which asks Patroni for the primary", { skip: whyFrontendsAreSkipped() }, async () => {
    const frontends = await startFrontends(stage.cluster);
    const service = await startService({ databaseUrl: frontends.databaseUrl });
    try {
      const result = await playRound({ ...stage, service }, listPrimaryFaults(stage.cluster).killed);
      process.stdout.write(`killed, behind PgBouncer and HAProxy: ${JSON.stringify(result)}\n`);
    } finally {
      await service.kill9();
      await frontends.close();
    }
  });

  it("without a synchronous standby loses acknowledged calls, as the status had said, and goes on with a consistent ledger and another log", async () => {
    const result = await loseAcknowledged(stage);
    process.stdout.write(`not synchronous: ${JSON.stringify(result)}\n`);
    assert.ok(result.lost > 0, "without this, the other tests would show nothing");
  });
});
