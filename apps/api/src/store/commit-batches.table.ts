import type { Db } from "./schema.ts";

/** PostgreSQL only. */
export function deleteBatchesBefore(db: Db, cutoff: { atMs: number; limit: number }) {
  return db
    .deleteFrom("commit_batches")
    .where("id", "in", (eb) => eb.selectFrom("commit_batches").select("id").where("at", "<", cutoff.atMs).orderBy("at").limit(cutoff.limit));
}
