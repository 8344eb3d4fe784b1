import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/** In the order in which they were applied. */
export function listAppliedMigrations(db: Kysely<Schema>) {
  return db.selectFrom("migrations").select(["name", "at"]).orderBy("name");
}
