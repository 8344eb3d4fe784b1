import assert from "node:assert/strict";
import { makeAccount, vastTier } from "../../make-account.ts";
import { startService } from "../../start-service.ts";
import { createCallBook } from "./call-book.ts";
import { openCluster } from "./ha-cluster.ts";
import { listPrimaryFaults, type PrimaryFaultName } from "./ha-faults.ts";
import { outageMsMax, playRound, type RoundResult, type Stage, watchStarts } from "./ha-round.ts";
import { createSeededRandom } from "./seeded-random.ts";

/** Set by `npm run test:faults -- --rounds N`. */
const rounds = Number(process.env.ASSAY_TEST_ROUNDS ?? 1);
const accountCount = 4;

/** One node on a pair of PostgreSQL under Patroni, for all faults of a test file. */
export async function openStage(): Promise<Stage & { close(): Promise<void> }> {
  const random = createSeededRandom();
  process.stdout.write(`ASSAY_TEST_SEED=${random.seed}\n`);
  const cluster = await openCluster();
  try {
    const store = cluster.openOn((await cluster.untilPair()).primary);
    const accounts = [];
    for (let made = 0; made < accountCount; made += 1) accounts.push(await makeAccount(store, { tier: vastTier }));
    await store.close();
    const service = await startService({ databaseUrl: cluster.databaseUrl });
    const book = createCallBook();
    const close = async () => {
      await service.kill9();
      await cluster.close();
    };
    return { cluster, service, accounts, book, startedMs: watchStarts(book), random, close };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

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

/** Loses the primary in this way as often as was asked for, with an audit each time. */
export async function losePrimary(stage: Stage, name: PrimaryFaultName): Promise<void> {
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
}
