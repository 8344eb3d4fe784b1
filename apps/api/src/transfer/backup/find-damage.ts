import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { findProblems } from "../../store/check-sqlite.ts";
import { errcodeOf, isDamage } from "../../store/sqlite-trouble.ts";
import { hasStore } from "./place-store.ts";
import { databasePathOf } from "./store-files.ts";

/** Up to this size a start looks through the whole file, which takes well under a second; a larger one is checked by each backup. */
const wholeFileBytesMax = 64 * 1024 * 1024;
const busyTimeoutMs = 10_000;

/** What is wrong with the store's file. What SQLite mends after a crash is mended by looking. */
export function findDamage(dataDir: string, reach: "at_start" | "any_size"): string[] {
  if (!hasStore(dataDir)) return [];
  const path = databasePathOf(dataDir);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'ledger_heads'").get() as { tables: number };
    // Cut off before its first migration: there is nothing yet that could be damaged.
    if (tables === 0 || (reach === "at_start" && statSync(path).size > wholeFileBytesMax)) return [];
    return findProblems(database, "quick");
  } catch (error) {
    if (isDamage(errcodeOf(error))) return [(error as Error).message];
    throw error;
  } finally {
    database.close();
  }
}
