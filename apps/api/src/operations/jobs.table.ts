import type { Db } from "../store/schema.ts";

/** One run of a job. The lease is a fencing token, new for each run: a superseded run matches no row. */
type Run = { name: string; lease: string };

/** A new job is due at once. */
export function registerJob(db: Db, { name, nowMs }: { name: string; nowMs: number }) {
  const never = { lease: null, holder: null, started_at: null, last_run_at: null, last_success_at: null, last_duration_ms: null, last_result: null };
  return db
    .insertInto("jobs")
    .values({ name, next_run_at: nowMs, leased_until: 0, failures: 0, ...never })
    .onConflict((conflict) => conflict.column("name").doNothing());
}

/**
 * Claims a job that is due and not leased. Of concurrent claims one changes the row. Times after `latestRunMs` and
 * `latestLeaseMs` were written by a clock that ran ahead, and are ignored.
 */
export function claimJob(
  db: Db,
  claim: Run & { holder: string; nowMs: number; untilMs: number; latestRunMs: number; latestLeaseMs: number },
) {
  return db
    .updateTable("jobs")
    .set({ lease: claim.lease, leased_until: claim.untilMs, holder: claim.holder, started_at: claim.nowMs })
    .where("name", "=", claim.name)
    .where((eb) => eb.or([eb("next_run_at", "<=", claim.nowMs), eb("next_run_at", ">", claim.latestRunMs)]))
    .where((eb) => eb.or([eb("leased_until", "<=", claim.nowMs), eb("leased_until", ">", claim.latestLeaseMs)]))
    .returning("failures");
}

/** The heartbeat of a run. Changes no row when the lease was lost. */
export function renewJob(db: Db, run: Run & { untilMs: number }) {
  return db.updateTable("jobs").set({ leased_until: run.untilMs }).where("name", "=", run.name).where("lease", "=", run.lease);
}

/** Releases the job and stores the run's result, unless the lease was lost. Zero failures mean success. */
export function finishJob(
  db: Db,
  done: Run & { startedMs: number; endedMs: number; durationMs: number; nextMs: number; result: string; failures: number },
) {
  return db
    .updateTable("jobs")
    .set({
      lease: null,
      leased_until: 0,
      started_at: null,
      last_run_at: done.startedMs,
      last_duration_ms: done.durationMs,
      last_result: done.result,
      next_run_at: done.nextMs,
      failures: done.failures,
      ...(done.failures === 0 && { last_success_at: done.endedMs }),
    })
    .where("name", "=", done.name)
    .where("lease", "=", done.lease);
}

export function selectJobs(db: Db) {
  return db
    .selectFrom("jobs")
    .select(["name", "next_run_at", "leased_until", "holder", "started_at", "last_run_at", "last_success_at", "last_duration_ms", "last_result", "failures"])
    .orderBy("name");
}
