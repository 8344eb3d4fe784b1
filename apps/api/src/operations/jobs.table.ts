import type { Kysely } from "kysely";
import type { Schema } from "../store/schema.ts";

type Db = Kysely<Schema>;

/** A job that nobody has met yet is due at once. */
export function introduceJob(db: Db, name: string) {
  return db
    .insertInto("jobs")
    .values({ name, next_run_at: 0, lease: null, leased_until: 0, last_run_at: null, last_result: null })
    .onConflict((conflict) => conflict.column("name").doNothing());
}

/** Takes a job that is due and that nobody holds. Of many who try at once one changes the row. */
export function claimJob(db: Db, claim: { name: string; lease: string; nowMs: number; untilMs: number }) {
  return db
    .updateTable("jobs")
    .set({ lease: claim.lease, leased_until: claim.untilMs })
    .where("name", "=", claim.name)
    .where("next_run_at", "<=", claim.nowMs)
    .where("leased_until", "<=", claim.nowMs);
}

/** Hands the job back with its result, unless the lease was lost meanwhile. */
export function finishJob(db: Db, done: { name: string; lease: string; nowMs: number; nextMs: number; result: string }) {
  return db
    .updateTable("jobs")
    .set({ lease: null, leased_until: 0, last_run_at: done.nowMs, last_result: done.result, next_run_at: done.nextMs })
    .where("name", "=", done.name)
    .where("lease", "=", done.lease);
}

export function selectJobs(db: Db) {
  return db.selectFrom("jobs").select(["name", "next_run_at", "leased_until", "last_run_at", "last_result"]).orderBy("name");
}
