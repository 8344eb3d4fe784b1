import { join } from "node:path";
import { migratePostgres, migrateSqlite } from "./migrate.ts";
import { openPostgres } from "./open-postgres.ts";
import { openSqlite } from "./open-sqlite.ts";
import { findPrimary } from "./primary/find-primary.ts";
import type { Store } from "./store.ts";
import type { OnWriteTrouble } from "./watch-writes.ts";

export type StoreSettings = {
  /** The URL of a PostgreSQL database, or undefined for the embedded store in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
};

export const sqliteFileName = "assay.sqlite";

/** Migrates and opens; `migrated` has the names of the migrations that were applied. */
export async function openStore(
  settings: StoreSettings,
  context: { nowMs: number; onConnectionError: (error: Error) => void; onWriteTrouble?: OnWriteTrouble },
): Promise<{ store: Store; migrated: string[] }> {
  if (settings.databaseUrl !== undefined) {
    const primary = findPrimary(settings.databaseUrl);
    const migrated = await migratePostgres(primary, context.nowMs);
    return { store: openPostgres(primary, context.onConnectionError), migrated };
  }
  const path = join(settings.dataDir, sqliteFileName);
  const migrated = migrateSqlite(path, context.nowMs);
  return { store: openSqlite(path, context.onWriteTrouble), migrated };
}
