import type { TrackingKeyRow } from "../../store/schema-ads.ts";
import type { Db } from "../../store/schema.ts";

/** A safety limit: retired keys are deleted with the offers that they signed. */
const keysMax = 1_000;

/** Newest first. */
export function selectTrackingKeys(db: Db) {
  return db
    .selectFrom("tracking_keys")
    .select(["id", "salt", "created_at", "retired_at"])
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(keysMax);
}

export function insertTrackingKey(db: Db, key: TrackingKeyRow) {
  return db.insertInto("tracking_keys").values(key);
}

export function retireTrackingKeys(db: Db, nowMs: number) {
  return db.updateTable("tracking_keys").set({ retired_at: nowMs }).where("retired_at", "is", null);
}

export function deleteTrackingKeysRetiredBefore(db: Db, atMs: number) {
  return db.deleteFrom("tracking_keys").where("retired_at", "<", atMs);
}
