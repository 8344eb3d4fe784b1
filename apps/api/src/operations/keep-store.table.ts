import type { Kysely } from "kysely";
import type { Schema } from "../store/schema.ts";

type Db = Kysely<Schema>;

/** Ids are ordered by time, so an id is a point in time; each account's oldest records come first. */
export function deleteRecordsBefore(db: Db, old: { id: string; limit: number }) {
  return db
    .deleteFrom("session_records")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "id"),
        "in",
        eb
          .selectFrom("session_records as r")
          .innerJoin("accounts as a", "a.id", "r.account_id")
          .select(["r.account_id", "r.id"])
          .where("r.id", "<", old.id)
          .limit(old.limit)
          .$asTuple("account_id", "id"),
      ),
    );
}

export function deleteAnswersBefore(db: Db, old: { atMs: number; limit: number }) {
  return db
    .deleteFrom("idempotency_answers")
    .where("key_hash", "in", (eb) =>
      eb.selectFrom("idempotency_answers").select("key_hash").where("at", "<", old.atMs).orderBy("at").limit(old.limit),
    );
}

export function deleteBatchesBefore(db: Db, atMs: number) {
  return db.deleteFrom("commit_batches").where("at", "<", atMs);
}
