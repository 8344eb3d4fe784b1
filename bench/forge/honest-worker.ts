/** Honest accounts through the pure rules: the checks, the evidence, and what growth grants. One thread of several. */
import { parentPort, workerData } from "node:worker_threads";
import { simulateHonestAccount, type HonestResult, type HonestShare } from "./simulate-honest.ts";

const { from, step, accounts, days, seed } = workerData as HonestShare;
for (let index = from; index < accounts; index += step) {
  const result: HonestResult = simulateHonestAccount(index, { days, seed });
  parentPort!.postMessage(result, [result.marks.buffer as ArrayBuffer]);
}
