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

/** Of sessions whose records have gone: the database refuses to delete any other. */
export function deleteOutcomesBefore(db: Db, old: { id: string; limit: number }) {
  return db
    .deleteFrom("session_outcomes")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "session_id", "seq"),
        "in",
        eb
          .selectFrom("session_outcomes as o")
          .innerJoin("accounts as a", "a.id", "o.account_id")
          .select(["o.account_id", "o.session_id", "o.seq"])
          .where("o.session_id", "<", old.id)
          .limit(old.limit)
          .$asTuple("account_id", "session_id", "seq"),
      ),
    );
}

export function deleteHoursBefore(db: Db, old: { hourMs: number; limit: number }) {
  return db
    .deleteFrom("session_hours")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "hour"),
        "in",
        eb
          .selectFrom("session_hours as h")
          .innerJoin("accounts as a", "a.id", "h.account_id")
          .select(["h.account_id", "h.hour"])
          .where("h.hour", "<", old.hourMs)
          .limit(old.limit)
          .$asTuple("account_id", "hour"),
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

/** PostgreSQL only. */
export function deleteBatchesBefore(db: Db, old: { atMs: number; limit: number }) {
  return db
    .deleteFrom("commit_batches")
    .where("id", "in", (eb) => eb.selectFrom("commit_batches").select("id").where("at", "<", old.atMs).orderBy("at").limit(old.limit));
}

export function deleteOffersBefore(db: Db, old: { id: string; limit: number }) {
  return db
    .deleteFrom("offers")
    .where("id", "in", (eb) => eb.selectFrom("offers").select("id").where("id", "<", old.id).orderBy("id").limit(old.limit));
}

/** Sessions' ids are ordered by time, too. */
export function deleteSessionOffersBefore(db: Db, old: { id: string; limit: number }) {
  return db
    .deleteFrom("session_offers")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "session_id"),
        "in",
        eb
          .selectFrom("session_offers as s")
          .innerJoin("accounts as a", "a.id", "s.account_id")
          .select(["s.account_id", "s.session_id"])
          .where("s.session_id", "<", old.id)
          .limit(old.limit)
          .$asTuple("account_id", "session_id"),
      ),
    );
}
