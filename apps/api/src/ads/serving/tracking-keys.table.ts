import type { TrackingKeyRow } from "../../store/schema-ads.ts";
import type { Db } from "../../store/schema.ts";

/** A safety limit: retired keys are deleted with the offers that they signed. */
const keysMax = 1_000;

/** Newest first. */
export function selectTrackingKeys(db: Db) {
  return db
    .selectFrom("tracking_keys")
    .select(["id", "salt", "sealed", "created_at", "retired_at"])
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(keysMax);
}

export function insertTrackingKey(db: Db, key: TrackingKeyRow) {
  return db.insertInto("tracking_keys").values(key);
}

/** Those that the current secret has not sealed. */
export function selectTrackingKeysOfOthers(db: Db, page: { currentPrefix: string; afterId: string; limit: number }) {
  return db
    .selectFrom("tracking_keys")
    .select(["id", "salt", "sealed"])
    .where((eb) => eb.or([eb("sealed", "is", null), eb("sealed", "not like", `${page.currentPrefix}%`)]))
    .where("id", ">", page.afterId)
    .orderBy("id")
    .limit(page.limit);
}

/** Changes the row only if it is still as it was read. */
export function sealTrackingKey(db: Db, key: { id: string; before: string | null; after: string }) {
  const row = db.updateTable("tracking_keys").set({ sealed: key.after }).where("id", "=", key.id);
  return key.before === null ? row.where("sealed", "is", null) : row.where("sealed", "=", key.before);
}

export function retireTrackingKeys(db: Db, nowMs: number) {
  return db.updateTable("tracking_keys").set({ retired_at: nowMs }).where("retired_at", "is", null);
}

export function deleteTrackingKeysRetiredBefore(db: Db, atMs: number) {
  return db.deleteFrom("tracking_keys").where("retired_at", "<", atMs);
}
