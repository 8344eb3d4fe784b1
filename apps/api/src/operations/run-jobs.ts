import { explain } from "../failure/failure.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../store/store.ts";
import { randomBase62 } from "../ids/time-ordered-id.ts";
import { isDue, latestTimesOf, leaseMs, renewMs, retryMsAfter, runMsMax } from "./job-schedule.ts";
import { claimJob, finishJob, introduceJob, renewJob, selectJobs } from "./jobs.table.ts";

/** What a run is told. */
export type JobRun = {
  nowMs: number;
  /** Whether to come to an end: the node stops, another one has the job, or the run has had its time. */
  isOver: () => boolean;
};

export type JobOutcome = {
  /** What was done, in a few words for operators. */
  result: string;
  /** There is more of it: the job is due again at once. */
  isMore?: boolean;
};

/**
 * Work that is done once for all nodes, again and again. It must bear being cut short and begun anew, and, where a node
 * was stopped for longer than its lease, being done by two at once: whatever it writes is guarded by the row it changes.
 */
export type Job = { name: string; everyMs: number; run: (run: JobRun) => Promise<JobOutcome> };

export type SeenJob = Awaited<ReturnType<ReturnType<typeof selectJobs>["execute"]>>[number];

export type JobsContext = {
  nowMs: () => number;
  monotonicMs: () => number;
  /** Names this node to operators. */
  holder: string;
  isStopping: () => boolean;
  onError: (error: unknown) => void;
};

/** `lost`: another node took the job over meanwhile, and what this run has to say counts no more. */
export type RunOutcome = "not_due" | "ran" | "failed" | "lost";

const lookMs = 5_000;
const resultLengthMax = 300;

/** Renews the lease while the job runs. Without an answer for as long as the lease lasts it counts as lost. */
function holdLease(store: Store, run: { name: string; lease: string }, context: JobsContext) {
  let heldUntilMs = context.monotonicMs() + leaseMs;
  async function renew(): Promise<void> {
    const untilMs = context.monotonicMs() + leaseMs;
    const { numUpdatedRows } = await renewJob(store.db, { ...run, untilMs: context.nowMs() + leaseMs }).executeTakeFirst();
    heldUntilMs = numUpdatedRows === 0n ? Number.NEGATIVE_INFINITY : untilMs;
  }
  const timer = setInterval(() => void renew().catch(context.onError), renewMs);
  // A run that never ends must not keep a process that wants to.
  timer.unref();
  return {
    isHeld: () => context.monotonicMs() < heldUntilMs,
    release: () => clearInterval(timer),
  };
}

/** A run that never ends must not keep this node from its other jobs. */
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

/** Runs one job if it is due and free. What went wrong is written down with the job, and told to `onError`. */
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
    // Where not even this can be written the lease runs out, and the job is tried again all the same.
    return (await finish({ nextMs: startedMs + retryMsAfter(failures, job.everyMs), result, failures })) ? "failed" : "lost";
  } finally {
    hold.release();
  }
}

export type RunningJobs = {
  /** The jobs as this node saw them last; empty before its first look. */
  seen: () => readonly SeenJob[];
  stop: () => Promise<void>;
};

/** Looks every few seconds for jobs that are due. After a downtime each runs once and is up to date. */
export async function startJobs(
  store: Store,
  jobs: readonly Job[],
  context: Omit<JobsContext, "isStopping"> & { onRun: (name: string, outcome: RunOutcome) => void },
): Promise<RunningJobs> {
  let seen: readonly SeenJob[] = [];
  let running = Promise.resolve();
  let isStopping = false;
  for (const { name } of jobs) await introduceJob(store.db, { name, nowMs: context.nowMs() }).execute();

  async function look(): Promise<void> {
    // One read for all jobs: most of the time none is due, and nodes that look write nothing.
    seen = await selectJobs(store.db).execute();
    for (const job of jobs) {
      const row = seen.find(({ name }) => name === job.name);
      if (isStopping || !row || !isDue(row, context.nowMs(), job.everyMs)) continue;
      const outcome = await runJobIfDue(store, job, { ...context, isStopping: () => isStopping });
      if (outcome !== "not_due") context.onRun(job.name, outcome);
    }
  }

  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    running = look()
      .catch(context.onError)
      .finally(() => {
        isLooking = false;
      });
  }, lookMs);
  return {
    seen: () => seen,
    stop() {
      clearInterval(timer);
      isStopping = true;
      return running;
    },
  };
}
