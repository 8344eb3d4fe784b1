import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { findProblems } from "../../store/check-sqlite.ts";
import { errcodeOf, isDamage } from "../../store/sqlite-trouble.ts";
import { hasStore } from "./place-store.ts";
import { databasePathOf } from "./store-files.ts";

/** Up to this size a start checks the whole file, in well under a second. Each backup checks larger ones. */
const wholeFileBytesMax = 64 * 1024 * 1024;
const busyTimeoutMs = 10_000;

/** Lists what is wrong with the database file. Opening it runs SQLite's crash recovery. */
export function findDamage(dataDir: string, reach: "at_start" | "any_size"): string[] {
  if (!hasStore(dataDir)) return [];
  const path = databasePathOf(dataDir);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'ledger_heads'").get() as { tables: number };
    // Interrupted before its first migration: there is nothing yet that could be damaged.
    if (tables === 0 || (reach === "at_start" && statSync(path).size > wholeFileBytesMax)) return [];
    return findProblems(database, "quick");
  } catch (error) {
    if (isDamage(errcodeOf(error))) return [(error as Error).message];
    throw error;
  } finally {
    database.close();
  }
}
