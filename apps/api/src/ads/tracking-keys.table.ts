import type { Kysely } from "kysely";
import type { Schema } from "../store/schema.ts";
import type { TrackingKeyRow } from "../store/schema-ads.ts";

type Db = Kysely<Schema>;

/** The newest first. There are few: old ones are deleted with the offers that they signed. */
export function selectTrackingKeys(db: Db, limit: number) {
  return db
    .selectFrom("tracking_keys")
    .select(["id", "salt", "created_at", "retired_at"])
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit);
}

export function insertTrackingKey(db: Db, key: TrackingKeyRow) {
  return db.insertInto("tracking_keys").values(key);
}

/** Takes every key out of use that signs. */
export function retireTrackingKeys(db: Db, nowMs: number) {
  return db.updateTable("tracking_keys").set({ retired_at: nowMs }).where("retired_at", "is", null);
}

export function deleteTrackingKeysRetiredBefore(db: Db, atMs: number) {
  return db.deleteFrom("tracking_keys").where("retired_at", "<", atMs);
}
