import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { msPerHour } from "../formats/time.ts";
import type { Store } from "../store/store.ts";
import { clockSkewMsMax, leaseMs, retryMsAfter } from "./job-schedule.ts";
import { registerJob, renewJob, selectJobs } from "./jobs.table.ts";
import { createMetrics } from "./metrics.ts";
import { type Job, type JobRun, type JobsContext, runJobIfDue } from "./run-jobs.ts";

const startMs = 1_800_000_000_000;

/** A node with its own clock; `errors` are what its operator would read. */
function makeNode(holder = "node") {
  const clock = { nowMs: startMs, monotonicMs: 0 };
  const errors: unknown[] = [];
  const context: JobsContext = {
    nowMs: () => clock.nowMs,
    monotonicMs: () => clock.monotonicMs,
    holder,
    isStopping: () => false,
    onError: (error) => errors.push(error),
  };
  return { clock, errors, context };
}

/** A job that runs until the test ends it. */
function makeLongJob(name: string) {
  const started = Promise.withResolvers<JobRun>();
  const ended = Promise.withResolvers<string>();
  const run = async (jobRun: JobRun) => {
    started.resolve(jobRun);
    return { result: await ended.promise };
  };
  return { job: { name, everyMs: msPerHour, run } satisfies Job, started: started.promise, end: ended.resolve };
}

const register = (store: Store, name: string) => registerJob(store.db, { name, nowMs: startMs }).execute();
const read = async (store: Store, name: string) => (await selectJobs(store.db).execute()).find((job) => job.name === name)!;

describeBothStores("jobs", (open) => {
  let store: Store;
  before(async () => {
    ({ store } = await open());
  });

  it("run once per interval however many nodes poll, and catch up once after a downtime", async () => {
    let runs = 0;
    const job: Job = { name: "count", everyMs: msPerHour, run: async () => ({ result: `${(runs += 1)} runs` }) };
    await register(store, job.name);
    const { clock, context } = makeNode();
    const pollFromNodes = () => Promise.all(Array.from({ length: 8 }, () => runJobIfDue(store, job, context)));
    assert.deepEqual((await pollFromNodes()).toSorted(), [...Array<string>(7).fill("not_due"), "ran"]);
    clock.nowMs += msPerHour - 1;
    await pollFromNodes();
    assert.equal(runs, 1);
    clock.nowMs += 10 * msPerHour;
    await pollFromNodes();
    await pollFromNodes();
    assert.equal(runs, 2);
    const row = await read(store, job.name);
    assert.deepEqual([row.last_result, row.last_run_at, row.last_success_at, row.failures], ["2 runs", clock.nowMs, clock.nowMs, 0]);
    assert.deepEqual([row.holder, row.started_at, row.next_run_at], ["node", null, clock.nowMs + msPerHour]);
  });

  it("are due again at once when there is more to do", async () => {
    const job: Job = { name: "more", everyMs: msPerHour, run: async () => ({ result: "some", isMore: true }) };
    await register(store, job.name);
    const { context } = makeNode();
    assert.deepEqual([await runJobIfDue(store, job, context), await runJobIfDue(store, job, context)], ["ran", "ran"]);
  });

  it("are retried with back-off when they fail; the failure is stored, and a success resets the count", async () => {
    let fails = true;
    const run = () => (fails ? Promise.reject(new Error("no paper")) : Promise.resolve({ result: "printed" }));
    const job: Job = { name: "print", everyMs: msPerHour, run };
    await register(store, job.name);
    const { clock, context, errors } = makeNode();
    for (const [failures, waitMs] of [[1, 60_000], [2, 120_000], [3, 240_000]] as const) {
      assert.equal(await runJobIfDue(store, job, context), "failed");
      const row = await read(store, job.name);
      assert.deepEqual([row.last_result, row.failures, row.next_run_at - clock.nowMs, row.last_success_at], ["failed: no paper", failures, waitMs, null]);
      clock.nowMs += waitMs - 1;
      assert.equal(await runJobIfDue(store, job, context), "not_due");
      clock.nowMs += 1;
    }
    assert.equal(errors.length, 3);
    fails = false;
    assert.equal(await runJobIfDue(store, job, context), "ran");
    assert.equal((await read(store, job.name)).failures, 0);
  });

  it("of a dead node are taken over when its lease expires, not before", async () => {
    const { job, started } = makeLongJob("stuck");
    await register(store, job.name);
    void runJobIfDue(store, job, makeNode("dead").context);
    await started;
    const heir = makeNode("heir");
    const done: Job = { ...job, run: async () => ({ result: "done" }) };
    heir.clock.nowMs += leaseMs - 1;
    assert.equal(await runJobIfDue(store, done, heir.context), "not_due");
    assert.equal((await read(store, job.name)).holder, "dead");
    heir.clock.nowMs += 1;
    assert.equal(await runJobIfDue(store, done, heir.context), "ran");
  });

  it("of a node that was paused past its lease are fenced off: it learns so, and its result changes nothing", async () => {
    const { job, started, end } = makeLongJob("late");
    await register(store, job.name);
    const [paused, heir] = [makeNode("paused"), makeNode("heir")];
    const finished = runJobIfDue(store, job, paused.context);
    const { isOver } = await started;
    assert.equal(isOver(), false);
    heir.clock.nowMs += 2 * leaseMs;
    assert.equal(await runJobIfDue(store, { ...job, run: async () => ({ result: "by the heir" }) }, heir.context), "ran");
    // Its own clock went on while it was paused.
    paused.clock.monotonicMs += 2 * leaseMs;
    assert.equal(isOver(), true);
    end("by the one who slept");
    assert.equal(await finished, "lost");
    const row = await read(store, job.name);
    assert.deepEqual([row.last_result, row.holder, row.next_run_at], ["by the heir", "heir", heir.clock.nowMs + msPerHour]);
  });

  it("keep their lease for as long as they run", async (t) => {
    const { job, started, end } = makeLongJob("long");
    await register(store, job.name);
    const { clock, context } = makeNode("busy");
    const other = makeNode("other");
    t.mock.timers.enable({ apis: ["setInterval"] });
    const finished = runJobIfDue(store, job, context);
    const { isOver } = await started;
    for (let beat = 1; beat <= 9; beat += 1) {
      const atMs = beat * 10_000;
      Object.assign(clock, { nowMs: startMs + atMs, monotonicMs: atMs });
      t.mock.timers.tick(10_000);
      while ((await read(store, job.name)).leased_until < clock.nowMs + leaseMs) await new Promise((resolve) => setImmediate(resolve));
      other.clock.nowMs = clock.nowMs;
      assert.equal(await runJobIfDue(store, job, other.context), "not_due");
    }
    t.mock.timers.reset();
    assert.equal(isOver(), false);
    end("done");
    assert.equal(await finished, "ran");
    const { numUpdatedRows } = await renewJob(store.db, { name: job.name, lease: "another's", untilMs: 1 }).executeTakeFirst();
    assert.equal(numUpdatedRows, 0n, "a node cannot renew another node's lease");
  });

  it("ignore leases and due times written by a clock that ran ahead", async () => {
    const { job, started } = makeLongJob("ahead");
    await register(store, job.name);
    const wrong = makeNode("a day ahead");
    wrong.clock.nowMs += 24 * msPerHour;
    void runJobIfDue(store, job, wrong.context);
    await started;
    const right = makeNode("right");
    const done: Job = { ...job, run: async () => ({ result: "done" }) };
    assert.equal(await runJobIfDue(store, done, right.context), "ran");
    // Within the allowed clock skew the lease holds.
    const { job: held, started: begun } = makeLongJob("held");
    await register(store, held.name);
    const ahead = makeNode("a little ahead");
    ahead.clock.nowMs += clockSkewMsMax;
    void runJobIfDue(store, held, ahead.context);
    await begun;
    assert.equal(await runJobIfDue(store, { ...done, name: held.name }, right.context), "not_due");
  });

  it("appear in the metrics: last success, duration, failures and lag", async () => {
    const { clock, context } = makeNode();
    const good: Job = { name: "good", everyMs: msPerHour, run: async () => ({ result: "done" }) };
    const bad: Job = { name: "bad", everyMs: msPerHour, run: () => Promise.reject(new Error("no paper")) };
    for (const job of [good, bad]) {
      await register(store, job.name);
      await runJobIfDue(store, job, context);
    }
    const jobs = (await selectJobs(store.db).execute()).filter(({ name }) => name === good.name || name === bad.name);
    clock.nowMs += msPerHour + 7_000;
    const outside = async () => [{ table: "offers", rows: 3 }];
    const metrics = createMetrics({ commitQueueDepth: () => 0, nowMs: context.nowMs, jobs: () => jobs, countOverdueFindings: () => Promise.resolve(2), measureLog: async () => ({ size: 7, newestMs: 0, waiting: 2 }), survivesLossOfPrimary: () => true, reportLagMs: () => 1_500, measureDeliveries: async () => ({ pending: 0, oldestDueMs: 0 }), readWitnessStates: undefined, countUnpartitionedRows: outside });
    const text = await metrics.text();
    for (const line of [
      `assay_job_last_success_timestamp_seconds{job="good"} ${startMs / 1_000}`,
      'assay_job_duration_seconds{job="good"} 0',
      'assay_job_failures{job="good"} 0',
      'assay_job_lag_seconds{job="good"} 7',
      'assay_job_failures{job="bad"} 1',
      `assay_job_lag_seconds{job="bad"} ${(msPerHour - 60_000) / 1_000 + 7}`,
      "assay_findings_overdue 2",
      "assay_log_size 7",
      "assay_log_entries_waiting 2",
      `assay_log_checkpoint_age_seconds ${context.nowMs() / 1_000}`,
      'assay_rows_outside_partitions{table="offers"} 3',
      "assay_survives_loss_of_primary 1",
      "assay_report_replica_lag_seconds 1.5",
    ]) {
      assert(text.includes(`\n${line}\n`), `${line} is missing`);
    }
    assert(!text.includes('assay_job_last_success_timestamp_seconds{job="bad"}'), "a job without a success has no timestamp");
    const away = createMetrics({ commitQueueDepth: () => 0, nowMs: context.nowMs, jobs: () => jobs, countOverdueFindings: () => Promise.reject(new Error("away")), measureLog: () => Promise.reject(new Error("away")), reportLagMs: undefined, measureDeliveries: () => Promise.reject(new Error("away")), readWitnessStates: () => Promise.reject(new Error("away")), countUnpartitionedRows: () => Promise.reject(new Error("away")) });
    assert.match(await away.text(), /^assay_job_failures\{job="bad"\} 1$/m, "an unreachable store does not block the other metrics");
  });
});

describe("the back-off after failures", () => {
  it("doubles from a minute to an hour, and is never longer than the job's interval", () => {
    assert.deepEqual([1, 2, 3, 7, 50].map((failures) => retryMsAfter(failures, 24 * msPerHour)), [60_000, 120_000, 240_000, msPerHour, msPerHour]);
    assert.equal(retryMsAfter(9, 600_000), 600_000);
  });
});
