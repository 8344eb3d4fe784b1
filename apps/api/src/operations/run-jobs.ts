import { setTimeout as sleep } from "node:timers/promises";
import { explain } from "../failure/failure.ts";
import { randomBase62 } from "../ids/time-ordered-id.ts";
import type { Store } from "../store/store.ts";
import { isDue, latestTimesOf, leaseMs, renewMs, retryMsAfter, runMsMax } from "./job-schedule.ts";
import { claimJob, finishJob, registerJob, renewJob, selectJobs } from "./jobs.table.ts";

export type JobRun = {
  nowMs: number;
  /** Whether to end: the node stops, another node took the job over, or the run took too long. */
  isOver: () => boolean;
};

export type JobOutcome = {
  /** A short summary for operators. */
  result: string;
  /** There is more to do: the job is due again at once. */
  isMore?: boolean;
};

/**
 * Periodic work that one node does for all. It must be safe to interrupt and to repeat, and to run on two nodes at once
 * when one was paused for longer than its lease: every write is guarded by the row that it changes.
 */
export type Job = { name: string; everyMs: number; run: (run: JobRun) => Promise<JobOutcome> };

export type JobState = Awaited<ReturnType<ReturnType<typeof selectJobs>["execute"]>>[number];

export type JobsContext = {
  nowMs: () => number;
  monotonicMs: () => number;
  /** This node's name, for operators. */
  holder: string;
  isStopping: () => boolean;
  onError: (error: unknown) => void;
};

/** `lost`: another node took the job over, and this run's result is discarded. */
export type RunOutcome = "not_due" | "ran" | "failed" | "lost";

const pollMs = 5_000;
const resultLengthMax = 300;

/** Renews the lease while the job runs. Without a successful renewal for its whole duration, the lease counts as lost. */
function holdLease(store: Store, run: { name: string; lease: string }, context: JobsContext) {
  let heldUntilMs = context.monotonicMs() + leaseMs;
  async function renew(): Promise<void> {
    const untilMs = context.monotonicMs() + leaseMs;
    const { numUpdatedRows } = await renewJob(store.db, { ...run, untilMs: context.nowMs() + leaseMs }).executeTakeFirst();
    heldUntilMs = numUpdatedRows === 0n ? Number.NEGATIVE_INFINITY : untilMs;
  }
  const timer = setInterval(() => void renew().catch(context.onError), renewMs);
  // A run that hangs must not keep the process alive.
  timer.unref();
  return {
    isHeld: () => context.monotonicMs() < heldUntilMs,
    release: () => clearInterval(timer),
  };
}

/** A run that hangs must not keep this node from its other jobs. */
async function runWithin(job: Job, run: JobRun): Promise<JobOutcome> {
  const ended = new AbortController();
  const tooLate = sleep(runMsMax, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error("it took too long");
  });
  tooLate.catch(() => {});
  try {
    return await Promise.race([job.run(run), tooLate]);
  } finally {
    ended.abort();
  }
}

/** Runs one job if it is due and not leased. A failure is stored with the job and passed to `onError`. */
export async function runJobIfDue(store: Store, job: Job, context: JobsContext): Promise<RunOutcome> {
  const run = { name: job.name, lease: randomBase62(22) };
  const startedMs = context.nowMs();
  const times = { nowMs: startedMs, untilMs: startedMs + leaseMs, ...latestTimesOf(startedMs, job.everyMs) };
  const claimed = await claimJob(store.db, { ...run, holder: context.holder, ...times }).executeTakeFirst();
  if (!claimed) return "not_due";
  const beganMs = context.monotonicMs();
  const hold = holdLease(store, run, context);
  const isOver = () => context.isStopping() || !hold.isHeld() || context.monotonicMs() - beganMs > runMsMax;
  const finish = async (outcome: { nextMs: number; result: string; failures: number }) => {
    const durationMs = Math.round(context.monotonicMs() - beganMs);
    const result = outcome.result.slice(0, resultLengthMax);
    const done = { ...run, startedMs, endedMs: context.nowMs(), durationMs, ...outcome, result };
    return (await finishJob(store.db, done).executeTakeFirst()).numUpdatedRows > 0n;
  };
  try {
    const { result, isMore = false } = await runWithin(job, { nowMs: startedMs, isOver });
    const nextMs = isMore ? startedMs : startedMs + job.everyMs;
    return (await finish({ nextMs, result, failures: 0 })) ? "ran" : "lost";
  } catch (error) {
    context.onError(error);
    const failures = claimed.failures + 1;
    const result = `failed: ${explain(error)}`;
    // If this write fails too, the lease expires and the job is retried.
    return (await finish({ nextMs: startedMs + retryMsAfter(failures, job.everyMs), result, failures })) ? "failed" : "lost";
  } finally {
    hold.release();
  }
}

/** Polls for due jobs every few seconds. After a downtime each job runs once to catch up. */
export async function startJobs(
  store: Store,
  jobs: readonly Job[],
  context: Omit<JobsContext, "isStopping"> & { onRun: (name: string, outcome: RunOutcome) => void },
) {
  let states: readonly JobState[] = [];
  let running = Promise.resolve();
  let isStopping = false;
  for (const { name } of jobs) await registerJob(store.db, { name, nowMs: context.nowMs() }).execute();

  async function poll(): Promise<void> {
    // One read for all jobs: usually none is due, and polling writes nothing.
    states = await selectJobs(store.db).execute();
    for (const job of jobs) {
      const row = states.find(({ name }) => name === job.name);
      if (isStopping || !row || !isDue(row, context.nowMs(), job.everyMs)) continue;
      const outcome = await runJobIfDue(store, job, { ...context, isStopping: () => isStopping });
      if (outcome !== "not_due") context.onRun(job.name, outcome);
    }
  }

  let isPolling = false;
  const timer = setInterval(() => {
    if (isPolling) return;
    isPolling = true;
    running = poll()
      .catch(context.onError)
      .finally(() => {
        isPolling = false;
      });
  }, pollMs);
  return {
    /** The jobs as this node last read them; empty before its first poll. */
    states: () => states,
    stop() {
      clearInterval(timer);
      isStopping = true;
      return running;
    },
  };
}
