import { PostgresAdapter } from "kysely";
import type { Db } from "./schema.ts";

/** Whether the database has row locks: SQLite has one writer and needs none. */
export const locksRows = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
