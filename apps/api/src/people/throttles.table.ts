import type { ThrottleRow } from "../store/schema-accounts.ts";
import type { Db } from "../store/schema.ts";

export function selectThrottle(db: Db, subject: string) {
  return db.selectFrom("throttles").select(["tries", "since", "blocked_until", "updated_at"]).where("subject", "=", subject);
}

/** Inserts nothing when a concurrent attempt was first; the caller then reads again. */
export function insertThrottle(db: Db, row: ThrottleRow) {
  return db
    .insertInto("throttles")
    .values(row)
    .onConflict((conflict) => conflict.column("subject").doNothing());
}

/** Compare-and-set on the row that was read: of two concurrent attempts one reads again. */
export function replaceThrottle(db: Db, change: { before: Omit<ThrottleRow, "subject" | "updated_at">; after: ThrottleRow }) {
  const { subject, ...values } = change.after;
  return db
    .updateTable("throttles")
    .set(values)
    .where("subject", "=", subject)
    .where("tries", "=", change.before.tries)
    .where("since", "=", change.before.since)
    .where("blocked_until", "=", change.before.blocked_until);
}

export function deleteThrottles(db: Db, subjects: readonly string[]) {
  return db.deleteFrom("throttles").where("subject", "in", subjects);
}

/** The oldest first. Attempts have counts, marks of known networks have none. */
export function selectThrottlesBefore(db: Db, old: { are: "attempts" | "known_networks"; fromMs: number; beforeMs: number; limit: number }) {
  return db
    .selectFrom("throttles")
    .select(["subject", "updated_at"])
    .where("updated_at", ">=", old.fromMs)
    .where("updated_at", "<", old.beforeMs)
    .where("tries", old.are === "attempts" ? ">" : "=", 0)
    .orderBy("updated_at")
    .limit(old.limit);
}

/** Those of them that nobody has used meanwhile. */
export function deleteThrottlesBefore(db: Db, old: { subjects: readonly string[]; beforeMs: number }) {
  return db.deleteFrom("throttles").where("subject", "in", old.subjects).where("updated_at", "<", old.beforeMs);
}
