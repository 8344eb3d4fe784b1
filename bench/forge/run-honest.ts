import { Worker } from "node:worker_threads";
import type { HonestResult, HonestShare } from "./simulate-honest.ts";

const workerModule = new URL("./honest-worker.ts", import.meta.url);
const accountsPerNote = 250;

/** The accounts in worker threads; each account's numbers depend on nothing but its index and the seed. */
export async function runHonest({ threads, ...options }: Omit<HonestShare, "from" | "step"> & { threads: number }, tell: (text: string) => void): Promise<HonestResult[]> {
  const results: HonestResult[] = [];
  const runShare = (from: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const share: HonestShare = { ...options, from, step: threads };
    const worker = new Worker(workerModule, { workerData: share });
    worker.on("message", (result: HonestResult) => {
      results.push(result);
      if (results.length % accountsPerNote === 0) tell(`honest: ${results.length} of ${options.accounts} accounts`);
    });
    worker.once("error", reject);
    worker.once("exit", () => resolve());
    return promise;
  };
  await Promise.all(Array.from({ length: threads }, (_, from) => runShare(from)));
  return results.toSorted((left, right) => left.index - right.index);
}
