import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteFileName } from "../src/store/open-store.ts";
import type { TestDatabase } from "./both-stores.ts";

/** Every row of every table as text: what anyone with a copy of the database can read. */
export async function dumpDatabase(database: TestDatabase): Promise<{ tables: string[]; text: string }> {
  if (database.store.dialect === "sqlite") return dumpSqlite(database.dataDir);
  const { pool } = database.store;
  const names = await pool.query<{ name: string }>(
    "SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname = 'public'",
  );
  const tables = names.rows.map(({ name }) => name);
  const parts: string[] = [];
  for (const name of tables) {
    const { rows } = await pool.query<{ line: string }>(`SELECT t::text AS line FROM ${name} t`);
    parts.push(...rows.map(({ line }) => line));
  }
  return { tables, text: parts.join("\n") };
}

/** The rows and the raw files, which also contain deleted rows and the write-ahead log. */
function dumpSqlite(dataDir: string): { tables: string[]; text: string } {
  const file = new DatabaseSync(join(dataDir, sqliteFileName), { readOnly: true });
  try {
    const tables = (file.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]).map(({ name }) => name);
    const rows = tables.map((name) => JSON.stringify(file.prepare(`SELECT * FROM "${name}"`).all()));
    const bytes = readdirSync(dataDir)
      .filter((name) => name.startsWith(sqliteFileName))
      .map((name) => readFileSync(join(dataDir, name), "latin1"));
    return { tables, text: [...rows, ...bytes].join("\n") };
  } finally {
    file.close();
  }
}
