import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { holdDataDir } from "../backup/hold-data-dir.ts";
import { dropStaged, finishPlacing, hasStore, placeStaged, stageStore } from "../backup/place-store.ts";
import { verifyFile } from "../backup/restore-backup.ts";
import { databasePathOf } from "../backup/store-files.ts";
import { migrateSqlite } from "../../store/migrate.ts";
import { parseRow } from "./export-format.ts";
import type { TableTarget } from "./fill-tables.ts";
import { quoteNames } from "./quote-names.ts";

const holdWaitMs = 1_000;

/** Fills a store beside the data folder's own, which must be none, and puts it in place as a restore does. */
export function openSqliteTarget(dataDir: string, nowMs: number): TableTarget | "in_use" | "store_exists" {
  const hold = holdDataDir(dataDir, { alone: true, waitMs: holdWaitMs });
  if (!hold) return "in_use";
  finishPlacing(dataDir);
  if (hasStore(dataDir)) {
    hold.release();
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
      return verifyFile(path);
    },
    async keep() {
      placeStaged(dataDir, nowMs);
    },
    async close() {
      if (database.isOpen) database.close();
      dropStaged(dataDir);
      hold.release();
    },
  };
}
