import type { Store } from "../store/store.ts";
import { randomBase62 } from "../store/time-ordered-id.ts";
import { claimJob, finishJob, introduceJob } from "./jobs.table.ts";

/** Work that is done once for all nodes, again and again. It must bear being cut short and begun anew. */
export type Job = {
  name: string;
  everyMs: number;
  /** Says in a few words what was done. */
  run: (nowMs: number) => Promise<string>;
};

/** Longer than any job takes; after a crash the job waits for so long. */
const leaseMs = 10 * 60_000;
const lookMs = 5_000;
const retryMs = 60_000;

/** Runs one job if it is due and free; tells whether it did. A failed run throws, and is tried again soon. */
export async function runJobIfDue(store: Store, job: Job, nowMs: () => number): Promise<"ran" | "not_due"> {
  const lease = randomBase62(22);
  const startedMs = nowMs();
  const claim = { name: job.name, lease, nowMs: startedMs, untilMs: startedMs + leaseMs };
  const { numUpdatedRows } = await claimJob(store.db, claim).executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return "not_due";
  const finish = (nextMs: number, result: string) => finishJob(store.db, { name: job.name, lease, nowMs: startedMs, nextMs, result }).execute();
  try {
    const result = await job.run(startedMs);
    await finish(startedMs + job.everyMs, result);
    return "ran";
  } catch (error) {
    await finish(startedMs + Math.min(retryMs, job.everyMs), `failed: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}

/** Looks every few seconds for a job that is due. After a downtime each runs once and is up to date. */
export async function startJobs(
  store: Store,
  jobs: readonly Job[],
  context: { nowMs: () => number; onError: (error: unknown) => void; onRun: (name: string, ok: boolean) => void },
): Promise<{ stop: () => Promise<void> }> {
  let running = Promise.resolve();
  let isStopping = false;
  for (const job of jobs) await introduceJob(store.db, job.name).execute();

  async function look(): Promise<void> {
    for (const job of jobs) {
      if (isStopping) return;
      try {
        if ((await runJobIfDue(store, job, context.nowMs)) === "ran") context.onRun(job.name, true);
      } catch (error) {
        context.onRun(job.name, false);
        context.onError(error);
      }
    }
  }

  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    running = look().finally(() => {
      isLooking = false;
    });
  }, lookMs);
  return {
    stop() {
      clearInterval(timer);
      isStopping = true;
      return running;
    },
  };
}
