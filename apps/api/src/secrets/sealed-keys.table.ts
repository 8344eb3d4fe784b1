import type { SealedKeyRow } from "../store/schema-accounts.ts";
import type { Db } from "../store/schema.ts";

export function selectSealedKey(db: Db, name: string) {
  return db.selectFrom("sealed_keys").select("sealed").where("name", "=", name);
}

/** Does nothing if there is a key of this name: of two nodes that make it, one is first. */
export function insertSealedKey(db: Db, row: SealedKeyRow) {
  return db.insertInto("sealed_keys").values(row).onConflict((conflict) => conflict.column("name").doNothing());
}

/** Those that another secret than the current one sealed. */
export function selectSealedKeysOfOthers(db: Db, page: { currentPrefix: string; afterName: string; limit: number }) {
  return db
    .selectFrom("sealed_keys")
    .select(["name", "sealed"])
    .where("sealed", "not like", `${page.currentPrefix}%`)
    .where("name", ">", page.afterName)
    .orderBy("name")
    .limit(page.limit);
}

/** Changes the row only if it is still as it was read. */
export function replaceSealedKey(db: Db, key: { name: string; before: string; after: string }) {
  return db.updateTable("sealed_keys").set({ sealed: key.after }).where("name", "=", key.name).where("sealed", "=", key.before);
}

/** Keys of one kind, in the order of their names. */
export function selectKeyNames(db: Db, prefix: string) {
  return db.selectFrom("sealed_keys").select(["name", "created_at"]).where("name", "like", `${prefix}%`).orderBy("name");
}
