import type { Db } from "./schema.ts";

/** In the order of application. */
export function listAppliedMigrations(db: Db) {
  return db.selectFrom("migrations").select(["name", "at"]).orderBy("name");
}
