import { type Kysely, sql } from "kysely";
import type { KeyRow, Schema } from "../store/schema.ts";

type Db = Kysely<Schema>;

/** Everything that a call needs to know of its key, in one row; test keys have the Starter tier's windows. */
export function selectCallerByHash(db: Db, keyHash: string) {
  return db
    .selectFrom("api_keys as k")
    .innerJoin("accounts as a", "a.id", "k.account_id")
    .innerJoin("tiers as t", (join) =>
      join.on((eb) =>
        eb(
          "t.name",
          "=",
          eb.case().when("k.mode", "=", "test").then("Starter").else(eb.ref("a.tier")).end(),
        ),
      ),
    )
    .select([
      "k.id as key_id",
      "k.account_id",
      "k.mode",
      "k.expires_at",
      "k.revoked_at",
      "a.status",
      "t.per_hour",
      "t.per_minute",
      "t.share_bps",
    ])
    .where("k.key_hash", "=", keyHash);
}

export function insertKey(db: Db, row: KeyRow) {
  return db.insertInto("api_keys").values(row);
}

export function selectKeysOfAccount(db: Db, accountId: string) {
  return db
    .selectFrom("api_keys")
    .select(["id", "mode", "name", "last_four", "created_at", "last_used_at", "expires_at", "revoked_at", "key_hash"])
    .where("account_id", "=", accountId)
    .orderBy("created_at");
}

export function selectKeyById(db: Db, keyId: string) {
  return db.selectFrom("api_keys").select(["id", "key_hash", "revoked_at"]).where("id", "=", keyId);
}

export function revokeKeyById(db: Db, change: { keyId: string; nowMs: number }) {
  return db
    .updateTable("api_keys")
    .set({ revoked_at: change.nowMs })
    .where("id", "=", change.keyId)
    .where("revoked_at", "is", null);
}

/** Never moves the time back, whichever node writes last. */
export function touchKey(db: Db, use: { keyId: string; atMs: number }) {
  return db
    .updateTable("api_keys")
    .set({ last_used_at: use.atMs })
    .where("id", "=", use.keyId)
    .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<", use.atMs)]));
}

/**
 * The two statements that announce a change, to be written together with it. The epoch's row lock makes
 * the numbers' order the order of the commits, so that a node that polls by number misses none.
 */
export function announceChange(db: Db, change: { subject: string; nowMs: number }) {
  return [
    db
      .updateTable("key_epoch")
      .set((eb) => ({ value: eb("value", "+", 1) }))
      .where("id", "=", 1),
    db.insertInto("key_changes").columns(["seq", "subject", "at"]).expression(
      db.selectFrom("key_epoch").select([
        "value",
        sql<string>`cast(${change.subject} as text)`.as("subject"),
        sql<number>`cast(${change.nowMs} as bigint)`.as("at"),
      ]),
    ),
  ];
}

export function selectEpoch(db: Db) {
  return db.selectFrom("key_epoch").select("value").where("id", "=", 1);
}

export function selectChangesAfter(db: Db, place: { seq: number; limit: number }) {
  return db
    .selectFrom("key_changes")
    .select(["seq", "subject"])
    .where("seq", ">", place.seq)
    .orderBy("seq")
    .limit(place.limit);
}

export function deleteChangesBefore(db: Db, atMs: number) {
  return db.deleteFrom("key_changes").where("at", "<", atMs);
}
