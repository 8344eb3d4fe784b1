import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { migrateSqlite } from "../../store/migrate.ts";
import { lockDataDir } from "../backup/lock-data-dir.ts";
import { deleteStagedStore, finishPlacement, hasStore, placeStagedStore, stageStore } from "../backup/place-store.ts";
import { verifyStoreFile } from "../backup/restore-backup.ts";
import { databasePathOf } from "../backup/store-files.ts";
import { parseRow } from "./export-format.ts";
import type { TableTarget } from "./import-store.ts";
import { quoteNames } from "./moved-tables.ts";

const lockWaitMs = 1_000;

/** Fills a staged store and puts it in place as a restore does. The data folder must not have a store yet. */
export function openSqliteTarget(dataDir: string, nowMs: number): TableTarget | "in_use" | "store_exists" {
  const lock = lockDataDir(dataDir, { exclusive: true, waitMs: lockWaitMs });
  if (!lock) return "in_use";
  finishPlacement(dataDir);
  if (hasStore(dataDir)) {
    lock.release();
    return "store_exists";
  }
  const path = databasePathOf(stageStore(dataDir));
  migrateSqlite(path, nowMs);
  const database = new DatabaseSync(path);
  database.exec("PRAGMA foreign_keys = ON");
  database.exec("BEGIN");
  const names = (sql: string, ...parameters: string[]) => database.prepare(sql).all(...parameters).map((row) => String(Object.values(row)[0]));
  return {
    migrations: names("SELECT name FROM migrations ORDER BY name"),
    columnsOf: (table) => Promise.resolve(names("SELECT name FROM pragma_table_info(?) ORDER BY cid", table)),
    countRows: (table) => Promise.resolve(Number(names(`SELECT count(*) FROM ${table}`)[0])),
    async clear(table) {
      database.exec(`DELETE FROM ${table}`);
    },
    async insert(table, columns, rows) {
      const insert = database.prepare(`INSERT INTO ${table} (${quoteNames(columns)}) VALUES (${columns.map(() => "?").join(", ")})`);
      for (const row of rows) insert.run(...(parseRow(row) as SQLInputValue[]));
    },
    async verify() {
      database.exec("COMMIT");
      database.close();
      return verifyStoreFile(path);
    },
    async commit() {
      placeStagedStore(dataDir, nowMs);
    },
    async close() {
      if (database.isOpen) database.close();
      deleteStagedStore(dataDir);
      lock.release();
    },
  };
}
