import { type Kysely, PostgresAdapter } from "kysely";
import type { Schema } from "./schema.ts";

/** Whether reads may ask for row locks: SQLite's writer is alone with the database and knows none. */
export const locksRows = (db: Kysely<Schema>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
