import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../testing/both-stores.ts";
import { introduceJob, selectJobs } from "./jobs.table.ts";
import { type Job, runJobIfDue } from "./run-jobs.ts";

const hourMs = 3_600_000;
const startMs = 1_800_000_000_000;

describeBothStores("jobs", (open) => {
  it("run once per turn however many nodes look, and catch up once after a downtime", async () => {
    const { store } = await open();
    let runs = 0;
    const job: Job = { name: "count", everyMs: hourMs, run: async () => `${(runs += 1)} runs` };
    await introduceJob(store.db, job.name).execute();
    const lookFromNodes = (nowMs: number) => Promise.all(Array.from({ length: 8 }, () => runJobIfDue(store, job, () => nowMs)));
    const outcomes = await lookFromNodes(startMs);
    assert.deepEqual([runs, outcomes.filter((each) => each === "ran").length], [1, 1]);
    await lookFromNodes(startMs + hourMs - 1);
    assert.equal(runs, 1);
    await lookFromNodes(startMs + 10 * hourMs);
    assert.equal(runs, 2);
    const [row] = await selectJobs(store.db).execute();
    assert.deepEqual([row?.last_result, row?.last_run_at], ["2 runs", startMs + 10 * hourMs]);
  });

  it("are tried again soon when they fail, and the failure can be read", async () => {
    const { store } = await open();
    let fails = true;
    const run = () => (fails ? Promise.reject(new Error("no paper")) : Promise.resolve("printed"));
    const job: Job = { name: "print", everyMs: hourMs, run };
    await introduceJob(store.db, job.name).execute();
    await assert.rejects(runJobIfDue(store, job, () => startMs), /no paper/);
    assert.equal((await selectJobs(store.db).execute())[0]?.last_result, "failed: no paper");
    fails = false;
    assert.equal(await runJobIfDue(store, job, () => startMs + 60_000), "ran");
  });

  it("of a node that died are taken over when its lease has run out, not before", async () => {
    const { store } = await open();
    const job: Job = { name: "stuck", everyMs: hourMs, run: () => new Promise<string>(() => {}) };
    await introduceJob(store.db, job.name).execute();
    void runJobIfDue(store, job, () => startMs);
    const deadline = Date.now() + 20_000;
    while ((await selectJobs(store.db).execute())[0]?.leased_until === 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
    const heir: Job = { ...job, run: async () => "done" };
    assert.equal(await runJobIfDue(store, heir, () => startMs + 60_000), "not_due");
    assert.equal(await runJobIfDue(store, heir, () => startMs + 11 * 60_000), "ran");
  });
});
